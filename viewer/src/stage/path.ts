// The path of a point over the whole run, bright up to now and faint after.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, ShaderMaterial, Vector2 } from "three";

const kVertex = /* glsl */ `
uniform vec2 resolution;
uniform float width;
attribute vec3 other;
attribute vec2 sideTime;
varying float vTime;
void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(other, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * resolution * sign(sideTime.x);
  float size = length(along);
  vec2 normal = size > 1e-6 ? vec2(-along.y, along.x) / size : vec2(0.0);
  a.xy += normal * (abs(sideTime.x) - 2.0) * width / resolution * a.w;
  vTime = sideTime.y;
  gl_Position = a;
}`;

const kFragment = /* glsl */ `
uniform vec3 colour;
uniform float now;
varying float vTime;
void main() {
  gl_FragColor = vec4(colour, vTime <= now ? 0.7 : 0.2);
  #include <colorspace_fragment>
}`;

export class Path {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

  /** points: x, y, z for each instant of t. */
  constructor(points: Float32Array, t: Float64Array, colour: Color, resolution: Vector2) {
    const n = t.length;
    const place = new Float32Array(6 * n), other = new Float32Array(6 * n), sideTime = new Float32Array(4 * n);
    const index: number[] = [];
    for (let i = 0; i < n; ++i) {
      const forward = i + 1 < n, j = forward ? i + 1 : Math.max(0, i - 1);
      for (let side = 0; side < 2; ++side) {
        for (let k = 0; k < 3; ++k) {
          place[6 * i + 3 * side + k] = points[3 * i + k];
          other[6 * i + 3 * side + k] = points[3 * j + k];
        }
        // The sign tells which way the neighbour lies, the size (1 or 3) which side of the line this is.
        sideTime[4 * i + 2 * side] = (forward ? 1 : -1) * (side === 0 ? 1 : 3);
        sideTime[4 * i + 2 * side + 1] = t[i] - t[0];
      }
      if (forward) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(place, 3));
    geometry.setAttribute("other", new BufferAttribute(other, 3));
    geometry.setAttribute("sideTime", new BufferAttribute(sideTime, 2));
    geometry.setIndex(index);
    this.mesh = new Mesh(geometry, new ShaderMaterial({
      vertexShader: kVertex, fragmentShader: kFragment, transparent: true, depthWrite: false, side: DoubleSide,
      uniforms: { resolution: { value: resolution }, width: { value: 1.7 }, colour: { value: colour }, now: { value: 0 } },
    }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  /** [s] since the first instant. */
  setNow(time: number): void {
    this.mesh.material.uniforms.now.value = time;
  }
}
