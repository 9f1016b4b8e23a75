// The bodies: their shapes as instanced meshes, their picking and the outline of the chosen one.
import { BackSide, Color, DoubleSide, DynamicDrawUsage, FrontSide, Group, InstancedMesh, Matrix4, Mesh, MeshPhongMaterial, Quaternion, ShaderMaterial, Vector2, Vector3, type BufferGeometry, type Raycaster } from "three";
import type { ReportData, Shape } from "../data/contract";
import { kBodyColours, kPlaneColour } from "./palette";
import { formsOf } from "./shape_geometry";

interface Piece {
  /** -1: the world. */
  body: number;
  mesh: InstancedMesh;
  instance: number;
  /** On the body, with the form's scale. */
  local: Matrix4;
  colour: Color;
  isPlane: boolean;
}

const kOutlineVertex = /* glsl */ `
uniform vec2 resolution;
void main() {
  vec4 here = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec3 n = normalize(normalMatrix * normal);
  vec4 there = projectionMatrix * vec4((modelViewMatrix * vec4(position, 1.0)).xyz + n * 1e-3 * abs(here.w), 1.0);
  vec2 along = (there.xy / there.w - here.xy / here.w) * resolution;
  float size = length(along);
  if (size > 1e-6) here.xy += along / size * 5.0 / resolution * here.w;
  gl_Position = here;
}`;

const kOutlineFragment = /* glsl */ `
uniform vec3 colour;
void main() {
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

/** Shapes of a body; one without any gets a ball at its centre of mass. */
export function shapesOf(data: ReportData, body: number, mechanism: number): Shape[] {
  const b = data.scene.bodies[body];
  if (b.shapes.length > 0) return b.shapes;
  return [{ kind: "sphere", radius: 0.018 * mechanism, p: b.com, q: [0, 0, 0, 1], color: null }];
}

export class BodyShapes {
  readonly group = new Group();
  readonly outline = new Group();
  private readonly pieces: Piece[] = [];
  private readonly meshes: InstancedMesh[] = [];
  private readonly bodyOf = new Map<InstancedMesh, number[]>();
  private readonly matrix = new Matrix4();
  private readonly bodyMatrix: Matrix4[] = [];
  private readonly worldMatrix = new Matrix4();
  private readonly p = new Vector3();
  private readonly q = new Quaternion();
  private readonly one = new Vector3(1, 1, 1);
  private readonly outlineMaterial: ShaderMaterial;
  private readonly outlined: { mesh: Mesh; piece: Piece }[] = [];
  private readonly resolution = new Vector2(1, 1);

  /** floors: bodies that the ground shows already; hidden: parts of the world that it shows; origin: of the replay. */
  constructor(data: ReportData, size: number, mechanism: Float64Array, floors: ReadonlySet<number>, outlineColour: Color, origin: ArrayLike<number>, hidden: ReadonlySet<Shape>) {
    this.worldMatrix.makeTranslation(-origin[0], -origin[1], -origin[2]);
    const owners: number[] = [];
    const shapes: Shape[] = [];
    data.scene.bodies.forEach((_, i) => {
      this.bodyMatrix.push(new Matrix4());
      for (const shape of floors.has(i) ? [] : shapesOf(data, i, mechanism[i])) {
        owners.push(i);
        shapes.push(shape);
      }
    });
    for (const shape of data.scene.ground ?? []) {
      if (hidden.has(shape)) continue;
      owners.push(-1);
      shapes.push(shape);
    }
    const forms = formsOf(shapes, data.scene.meshes, size);
    const counts = new Map<string, number>();
    for (const form of forms) counts.set(form.key, (counts.get(form.key) ?? 0) + 1);
    const made = new Map<string, InstancedMesh>();
    shapes.forEach((shape, k) => {
      const form = forms[k];
      let mesh = made.get(form.key);
      if (!mesh) {
        mesh = this.instanced(form.make(), counts.get(form.key)!, shape.kind === "plane");
        made.set(form.key, mesh);
      }
      const owner = this.bodyOf.get(mesh)!;
      const local = new Matrix4().compose(new Vector3(...shape.p), new Quaternion(...shape.q), new Vector3(...form.scale));
      const colour = new Color(shape.color ?? (shape.kind === "plane" || owners[k] < 0 ? kPlaneColour : kBodyColours[owners[k] % kBodyColours.length]));
      this.pieces.push({ body: owners[k], mesh, instance: owner.length, local, colour, isPlane: shape.kind === "plane" });
      mesh.setColorAt(owner.length, colour);
      owner.push(owners[k]);
    });
    this.outlineMaterial = new ShaderMaterial({
      vertexShader: kOutlineVertex, fragmentShader: kOutlineFragment, side: BackSide, toneMapped: false,
      uniforms: { resolution: { value: this.resolution }, colour: { value: outlineColour } },
    });
  }

  private instanced(geometry: BufferGeometry, count: number, isPlane: boolean): InstancedMesh {
    const material = new MeshPhongMaterial({ specular: 0x262626, shininess: 38, side: isPlane ? DoubleSide : FrontSide });
    if (isPlane) {
      material.transparent = true;
      material.opacity = 0.5;
    }
    const mesh = new InstancedMesh(geometry, material, count);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = !isPlane;
    mesh.receiveShadow = true;
    this.group.add(mesh);
    this.meshes.push(mesh);
    this.bodyOf.set(mesh, []);
    return mesh;
  }

  setResolution(width: number, height: number): void {
    this.resolution.set(width, height);
  }

  /** pose: position and quaternion of each body. */
  place(pose: Float64Array): void {
    for (let i = 0; i < this.bodyMatrix.length; ++i) {
      const o = 7 * i;
      this.p.set(pose[o], pose[o + 1], pose[o + 2]);
      this.q.set(pose[o + 3], pose[o + 4], pose[o + 5], pose[o + 6]);
      this.bodyMatrix[i].compose(this.p, this.q, this.one);
    }
    for (let k = 0; k < this.pieces.length; ++k) {
      const piece = this.pieces[k];
      this.matrix.multiplyMatrices(piece.body < 0 ? this.worldMatrix : this.bodyMatrix[piece.body], piece.local);
      piece.mesh.setMatrixAt(piece.instance, this.matrix);
    }
    for (let k = 0; k < this.meshes.length; ++k) this.meshes[k].instanceMatrix.needsUpdate = true;
    for (let k = 0; k < this.outlined.length; ++k) {
      const { mesh, piece } = this.outlined[k];
      mesh.matrix.multiplyMatrices(this.bodyMatrix[piece.body], piece.local);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  /** -1: none. */
  select(body: number): void {
    this.outline.clear();
    this.outlined.length = 0;
    for (const piece of this.pieces) {
      if (body < 0 || piece.body !== body || piece.isPlane) continue;
      const mesh = new Mesh(piece.mesh.geometry, this.outlineMaterial);
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      this.outlined.push({ mesh, piece });
      this.outline.add(mesh);
    }
  }

  colourOf(body: number): Color | undefined {
    return this.pieces.find((piece) => piece.body === body)?.colour;
  }

  /** The body that the ray meets first; -1: none. Planes are not picked. */
  pick(raycaster: Raycaster): number {
    for (const mesh of this.meshes) mesh.computeBoundingSphere();
    for (const hit of raycaster.intersectObjects(this.meshes, false)) {
      const mesh = hit.object as InstancedMesh;
      const piece = this.pieces.find((p) => p.mesh === mesh && p.instance === hit.instanceId);
      if (piece && !piece.isPlane) return piece.body;
    }
    return -1;
  }
}
