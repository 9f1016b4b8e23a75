// Small lit solids that are placed anew for each picture: arrow heads, balls, sticks. One draw call for each kind.
import { Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, InstancedMesh, Matrix4, MeshLambertMaterial, MeshPhongMaterial, SphereGeometry, type BufferGeometry, type Material } from "three";
import { across } from "../screw/rotate";

export class Solids {
  readonly mesh: InstancedMesh;
  private readonly capacity: number;
  private readonly side = new Float64Array(3);
  private readonly matrix = new Matrix4();

  constructor(geometry: BufferGeometry, material: Material, capacity: number) {
    this.capacity = capacity;
    this.mesh = new InstancedMesh(geometry, material, capacity);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.setColorAt(0, new Color(1, 1, 1));
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
  }

  begin(): void {
    this.mesh.count = 0;
  }

  finish(): void {
    this.mesh.visible = this.mesh.count > 0;
    if (!this.mesh.visible) return;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
  }

  /** The solid's own z along the unit vector (dx, dy, dz), its origin at (x, y, z). */
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number, radius: number, length: number, colour: Color): void {
    const m = this.mesh;
    if (m.count >= this.capacity || !(radius > 0) || !Number.isFinite(x + y + z + dx + dy + dz + length)) return;
    const s = this.side;
    across(dx, dy, dz, s, 0);
    const tx = dy * s[2] - dz * s[1], ty = dz * s[0] - dx * s[2], tz = dx * s[1] - dy * s[0];
    this.matrix.set(
      radius * s[0], radius * tx, length * dx, x,
      radius * s[1], radius * ty, length * dy, y,
      radius * s[2], radius * tz, length * dz, z,
      0, 0, 0, 1);
    m.setMatrixAt(m.count, this.matrix);
    m.setColorAt(m.count, colour);
    ++m.count;
  }

  ball(x: number, y: number, z: number, radius: number, colour: Color): void {
    this.add(x, y, z, 0, 0, 1, radius, radius, colour);
  }
}

/** Tip at z = 1, base of radius 1 at z = 0. */
export function arrowHeads(capacity: number): Solids {
  return new Solids(new ConeGeometry(1, 1, 20, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5), new MeshLambertMaterial(), capacity);
}

export function balls(capacity: number): Solids {
  return new Solids(new SphereGeometry(1, 24, 16), new MeshLambertMaterial(), capacity);
}

/** From z = 0 to z = 1. */
export function sticks(capacity: number): Solids {
  const solids = new Solids(new CylinderGeometry(1, 1, 1, 12, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5), new MeshPhongMaterial({ specular: 0x262626, shininess: 38 }), capacity);
  solids.mesh.castShadow = solids.mesh.receiveShadow = true;
  return solids;
}
