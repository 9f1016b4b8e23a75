// The ground: a grid that fades with distance, and the shadows on it.
import { Color, DoubleSide, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector3 } from "three";

const kVertex = /* glsl */ `
varying vec3 vWorld;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const kFragment = /* glsl */ `
uniform vec3 colour, e1, e2, centre, origin;
uniform float cell, reach, strength;
varying vec3 vWorld;
float lines(vec2 x, float width) {
  vec2 w = fwidth(x);
  vec2 d = abs(fract(x - 0.5) - 0.5) / w;
  vec2 on = (1.0 - smoothstep(width - 0.5, width + 0.5, d)) * (1.0 - smoothstep(0.25, 0.6, w));
  return max(on.x, on.y);
}
void main() {
  vec2 x = vec2(dot(vWorld - origin, e1), dot(vWorld - origin, e2)) / cell;
  float fade = 1.0 - smoothstep(0.25, 1.0, length(vWorld - centre) / reach);
  float a = max(0.35 * lines(x, 0.5), 0.8 * lines(x / 5.0, 0.7)) * fade * fade * strength;
  if (a < 0.004) discard;
  gl_FragColor = vec4(colour, a);
  #include <colorspace_fragment>
}`;

/** 1, 2 or 5 times a power of ten, not above x. */
export function roundLength(x: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  const m = x / power;
  return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * power;
}

export class Ground {
  readonly group = new Group();
  /** [m] between lines. */
  readonly cell: number;
  private readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shade: Mesh<PlaneGeometry, ShadowMaterial>;

  /** shaded: [m] how far from the centre shadows can fall. */
  constructor(up: Float64Array, height: number, size: number, sweep: number, shaded: number, origin: ArrayLike<number>, colour: Color) {
    this.cell = roundLength(size / 8);
    const reach = Math.min(Math.max(1.5 * size, 1.1 * sweep), 12 * size);
    const normal = new Vector3(up[0], up[1], up[2]);
    const e1 = new Vector3(1, 0, 0);
    if (Math.abs(normal.x) > 0.9) e1.set(0, 1, 0);
    e1.addScaledVector(normal, -e1.dot(normal)).normalize();
    const e2 = new Vector3().crossVectors(normal, e1);
    const material = new ShaderMaterial({
      vertexShader: kVertex, fragmentShader: kFragment, transparent: true, depthWrite: false, side: DoubleSide,
      uniforms: {
        colour: { value: colour }, e1: { value: e1 }, e2: { value: e2 }, centre: { value: new Vector3() },
        origin: { value: new Vector3(-origin[0], -origin[1], -origin[2]) }, cell: { value: this.cell },
        reach: { value: reach }, strength: { value: 1 },
      },
    });
    this.grid = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), material);
    this.shade = new Mesh(new PlaneGeometry(2 * shaded, 2 * shaded), new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    this.shade.receiveShadow = true;
    this.shade.renderOrder = -2;
    this.grid.renderOrder = -1;
    this.group.add(this.shade, this.grid);
    for (const mesh of [this.shade, this.grid]) mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    this.up = normal;
    this.height = height;
  }

  private readonly up: Vector3;
  private readonly height: number;

  /** The grid lies about the point below `x`, the shadows about the one below `shaded`. */
  centreOn(x: Vector3, shaded: Vector3): void {
    this.onGround(this.grid.position, x);
    this.onGround(this.shade.position, shaded);
    (this.grid.material.uniforms.centre.value as Vector3).copy(this.grid.position);
  }

  private onGround(out: Vector3, x: Vector3): void {
    out.copy(x).addScaledVector(this.up, this.height - x.dot(this.up));
  }

  show(grid: boolean, shadows: boolean): void {
    this.grid.visible = grid;
    this.shade.visible = shadows;
  }

  setDark(dark: boolean): void {
    this.shade.material.opacity = dark ? 0.5 : 0.2;
    this.grid.material.uniforms.strength.value = dark ? 0.55 : 0.75;
  }
}
