// Shapes of bodies as triangles. Equal shapes share a geometry, so that they are drawn together.
import { BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, LatheGeometry, PlaneGeometry, SphereGeometry, Vector2 } from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { MeshData, Shape } from "../data/contract";
import { decodeF32, decodeU32 } from "../data/decode";

export interface Form {
  /** Forms of one key have one geometry. */
  key: string;
  scale: [number, number, number];
  make: () => BufferGeometry;
}

const kMostForms = 64;

const rounded = (x: number) => x.toPrecision(4);

/** A solid of revolution about z through (radius, z) points, from the bottom to the top. */
function turned(points: [number, number][], detail: number): BufferGeometry {
  return new LatheGeometry(points.map(([r, z]) => new Vector2(r, z)), 32 * detail).rotateX(Math.PI / 2);
}

/** Corners are doubled a hair apart so that faces stay flat and the chamfer catches the light. */
function cylinder(radius: number, length: number, detail: number): BufferGeometry {
  const c = 0.06 * Math.min(radius, length), h = 0.5 * length, e = 0.02 * c;
  return turned([[0, -h], [radius - c - e, -h], [radius - c, -h], [radius, -h + c], [radius, -h + c + e], [radius, h - c - e], [radius, h - c], [radius - c, h], [radius - c - e, h], [0, h]], detail);
}

function cone(detail: number): BufferGeometry {
  return turned([[0, 0], [0.98, 0], [1, 0.004], [0.99, 0.015], [0.01, 0.99], [0, 1]], detail);
}

function meshGeometry(mesh: MeshData): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(decodeF32(mesh.vertices, "mesh vertices"), 3));
  geometry.setIndex(new BufferAttribute(decodeU32(mesh.triangles, "mesh triangles"), 1));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/**
 * `plain`: one box and one cylinder for all, without bevels; used when a scene has very many different ones. `detail`: 1, or 0.75 and 0.5
 * for fewer triangles of round shapes.
 */
export function formOf(shape: Shape, meshes: readonly MeshData[], size: number, plain: boolean, detail: number): Form {
  switch (shape.kind) {
    case "box": {
      const [x, y, z] = shape.size;
      if (plain) return { key: "box", scale: [x, y, z], make: () => new BoxGeometry(1, 1, 1) };
      const bevel = Math.min(0.12 * Math.min(x, y, z), 0.012 * Math.max(x, y, z));
      return { key: `box ${rounded(x)} ${rounded(y)} ${rounded(z)}`, scale: [1, 1, 1], make: () => new RoundedBoxGeometry(x, y, z, 2, bevel) };
    }
    case "sphere": return { key: "sphere", scale: [shape.radius, shape.radius, shape.radius], make: () => new SphereGeometry(1, 40 * detail, 24 * detail) };
    case "ellipsoid": return { key: "sphere", scale: [...shape.semi_axes], make: () => new SphereGeometry(1, 40 * detail, 24 * detail) };
    case "cylinder": {
      const { radius, length } = shape;
      if (plain) return { key: "cylinder", scale: [radius, radius, length], make: () => cylinder(1, 1, detail) };
      return { key: `cylinder ${rounded(length / radius)}`, scale: [radius, radius, radius], make: () => cylinder(1, length / radius, detail) };
    }
    case "capsule": {
      const { radius, length } = shape;
      return { key: `capsule ${rounded(length / radius)}`, scale: [radius, radius, radius], make: () => new CapsuleGeometry(1, length / radius, 8 * detail, 28 * detail).rotateX(Math.PI / 2) };
    }
    case "cone": return { key: "cone", scale: [shape.radius, shape.radius, shape.height], make: () => cone(detail) };
    case "plane": return { key: "plane", scale: [4 * size, 4 * size, 1], make: () => new PlaneGeometry(1, 1) };
    case "mesh": return { key: `mesh ${shape.mesh}`, scale: [1, 1, 1], make: () => meshGeometry(meshes[shape.mesh]) };
  }
}

export function formsOf(shapes: readonly Shape[], meshes: readonly MeshData[], size: number): Form[] {
  const detail = shapes.length <= 20 ? 1 : shapes.length <= 40 ? 0.75 : 0.5;
  const bevelled = shapes.map((shape) => formOf(shape, meshes, size, false, detail));
  if (new Set(bevelled.map((form) => form.key)).size <= kMostForms) return bevelled;
  return shapes.map((shape) => formOf(shape, meshes, size, true, detail));
}
