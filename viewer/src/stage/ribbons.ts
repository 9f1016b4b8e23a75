// Lines of constant width on the screen: straight ones, rings and helices, any number in one draw call.
import { Color, DoubleSide, GreaterDepth, InstancedBufferGeometry, InstancedInterleavedBuffer, InterleavedBufferAttribute, BufferAttribute, LessEqualDepth, Mesh, ShaderMaterial, Vector2, DynamicDrawUsage, Group } from "three";

const kStride = 17;

const kVertex = /* glsl */ `
uniform vec2 resolution;
attribute vec3 iOrigin;
attribute vec3 iAxis;
attribute vec3 iSide;
attribute vec4 iForm;    // length, radius, turns, width [px]
attribute vec4 iColour;
varying vec4 vColour;
const float kTurn = 6.283185307179586;
vec3 place(float s) {
  float a = kTurn * iForm.z * s;
  vec3 across = cos(a) * iSide + sin(a) * cross(iAxis, iSide);
  return (viewMatrix * vec4(iOrigin + iAxis * (iForm.x * s) + across * iForm.y, 1.0)).xyz;
}
void main() {
  float s = position.x, ds = position.z;
  vec3 here = place(s), next = place(s + ds);
  // What lies behind the eye is pulled to just before it, along the line.
  float near = -0.01 * iForm.w - 1e-6;
  if (here.z > near && next.z < near) here = mix(here, next, (here.z - near) / (here.z - next.z));
  if (next.z > near && here.z < near) next = mix(next, here, (next.z - near) / (next.z - here.z));
  vec4 a = projectionMatrix * vec4(here, 1.0), b = projectionMatrix * vec4(next, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * resolution * sign(ds);
  float size = length(along);
  vec2 normal = size > 1e-6 ? vec2(-along.y, along.x) / size : vec2(0.0, 1.0);
  a.xy += normal * position.y * iForm.w / resolution * a.w;
  vColour = iColour;
  gl_Position = a;
}`;

const kFragment = /* glsl */ `
uniform float opacity;
varying vec4 vColour;
void main() {
  gl_FragColor = vec4(vColour.rgb, vColour.a * opacity);
  #include <colorspace_fragment>
}`;

/** A strip of `segments`; position holds (s, side, step to the neighbour that gives the direction). */
function strip(segments: number): { places: Float32Array; index: number[] } {
  const places = new Float32Array((segments + 1) * 6);
  const index: number[] = [];
  for (let i = 0; i <= segments; ++i) {
    const s = i / segments, ds = (i < segments ? 1 : -1) / segments;
    places.set([s, -1, ds, s, 1, ds], i * 6);
    if (i < segments) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3);
  }
  return { places, index };
}

/** One kind of strip: straight lines have one segment, curves many. */
class Batch {
  readonly geometry = new InstancedBufferGeometry();
  readonly numbers: Float32Array;
  readonly buffer: InstancedInterleavedBuffer;
  count = 0;

  constructor(readonly capacity: number, segments: number) {
    const { places, index } = strip(segments);
    this.geometry.setAttribute("position", new BufferAttribute(places, 3));
    this.geometry.setIndex(index);
    this.numbers = new Float32Array(capacity * kStride);
    this.buffer = new InstancedInterleavedBuffer(this.numbers, kStride, 1);
    this.buffer.setUsage(DynamicDrawUsage);
    const attribute = (name: string, width: number, offset: number) =>
      this.geometry.setAttribute(name, new InterleavedBufferAttribute(this.buffer, width, offset));
    attribute("iOrigin", 3, 0);
    attribute("iAxis", 3, 3);
    attribute("iSide", 3, 6);
    attribute("iForm", 4, 9);
    attribute("iColour", 4, 13);
    this.geometry.instanceCount = 0;
  }

  finish(): void {
    this.geometry.instanceCount = this.count;
    if (this.count > 0) this.buffer.needsUpdate = true;
  }
}

export class Ribbons {
  readonly group = new Group();
  private readonly lines: Batch;
  private readonly rings: Batch;
  private readonly curves: Batch;
  private readonly resolution = new Vector2(1, 1);

  /** xray: how strongly what is behind bodies shows through, 0 ... 1. */
  constructor(lines: number, curves: number, xray: number, order: number) {
    this.lines = new Batch(lines, 1);
    this.rings = new Batch(curves, 36);
    this.curves = new Batch(curves, 192);
    const front = this.material(1, false), behind = this.material(xray, true);
    for (const batch of [this.lines, this.rings, this.curves])
      for (const material of xray > 0 ? [behind, front] : [front]) {
        const mesh = new Mesh(batch.geometry, material);
        mesh.frustumCulled = false;
        mesh.renderOrder = order;
        this.group.add(mesh);
      }
  }

  private material(opacity: number, behind: boolean): ShaderMaterial {
    return new ShaderMaterial({
      vertexShader: kVertex, fragmentShader: kFragment, transparent: true, depthWrite: false, side: DoubleSide,
      depthFunc: behind ? GreaterDepth : LessEqualDepth,
      uniforms: { resolution: { value: this.resolution }, opacity: { value: opacity } },
    });
  }

  /** [CSS px] of the view. */
  setResolution(width: number, height: number): void {
    this.resolution.set(width, height);
  }

  begin(): void {
    this.lines.count = this.rings.count = this.curves.count = 0;
  }

  finish(): void {
    this.lines.finish();
    this.rings.finish();
    this.curves.finish();
    for (const mesh of this.group.children) mesh.visible = ((mesh as Mesh).geometry as InstancedBufferGeometry).instanceCount > 0;
  }

  line(ax: number, ay: number, az: number, bx: number, by: number, bz: number, colour: Color, alpha: number, width: number): void {
    const b = this.lines;
    if (b.count >= b.capacity) return;
    const dx = bx - ax, dy = by - ay, dz = bz - az;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > 0)) return;
    const n = b.numbers, o = b.count++ * kStride;
    n[o] = ax; n[o + 1] = ay; n[o + 2] = az;
    n[o + 3] = dx / length; n[o + 4] = dy / length; n[o + 5] = dz / length;
    n[o + 6] = n[o + 7] = n[o + 8] = 0;
    n[o + 9] = length; n[o + 10] = 0; n[o + 11] = 0; n[o + 12] = width;
    n[o + 13] = colour.r; n[o + 14] = colour.g; n[o + 15] = colour.b; n[o + 16] = alpha;
  }

  /** origin + axis * (length s) + radius * (side turned about the axis by 2 pi turns s), s = 0 ... 1; axis and side are unit vectors. */
  helix(origin: ArrayLike<number>, axis: ArrayLike<number>, side: ArrayLike<number>, length: number, radius: number, turns: number, colour: Color, alpha: number, width: number): void {
    const b = Math.abs(turns) <= 1.5 ? this.rings : this.curves;
    if (b.count >= b.capacity) return;
    const n = b.numbers, o = b.count++ * kStride;
    for (let k = 0; k < 3; ++k) {
      n[o + k] = origin[k];
      n[o + 3 + k] = axis[k];
      n[o + 6 + k] = side[k];
    }
    n[o + 9] = length; n[o + 10] = radius; n[o + 11] = turns; n[o + 12] = width;
    n[o + 13] = colour.r; n[o + 14] = colour.g; n[o + 15] = colour.b; n[o + 16] = alpha;
  }
}
