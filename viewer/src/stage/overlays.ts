// What is drawn over the mechanism, each part to be switched on and off: screws, wrenches, contacts, momentum, frames.
import { BufferAttribute, Color, Group, Mesh, MeshLambertMaterial, SphereGeometry, Vector2 } from "three";
import type { ReportData } from "../data/contract";
import type { Replay } from "../data/replay";
import { across, multiply, rotate } from "../screw/rotate";
import { makeScrew, twistScrew, wrenchScrew, type Screw } from "../screw/screw";
import { typicalLargest, type Extent } from "./extent";
import { threadTurns, type JointMarks } from "./joint_marks";
import type { MarkColours } from "./palette";
import { Path } from "./path";
import { Ribbons } from "./ribbons";
import { arrowHeads, balls, type Solids } from "./solids";

export const kOverlays = ["ground", "shadows", "joints", "frames", "names", "twists", "wrenches", "reactions", "contacts", "forces", "com", "momentum"] as const;
export type Overlay = (typeof kOverlays)[number];
export type Shown = Record<Overlay, boolean> & { onlySelected: boolean };

/** A ball with eight fields, light and dark in turn: the sign of a centre of mass. */
function massBall(): Mesh {
  const geometry = new SphereGeometry(1, 32, 16).toNonIndexed();
  const place = geometry.getAttribute("position");
  const colours = new Float32Array(3 * place.count);
  for (let i = 0; i < place.count; i += 3) {
    let sign = 1;
    for (const axis of ["getX", "getY", "getZ"] as const) sign *= Math.sign(place[axis](i) + place[axis](i + 1) + place[axis](i + 2)) || 1;
    colours.fill(sign > 0 ? 0.9 : 0.02, 3 * i, 3 * i + 9);
  }
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
  // It is seen through everything: a centre of mass is mostly inside something.
  const ball = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true, depthTest: false, transparent: true }));
  ball.renderOrder = 10;
  return ball;
}

export class Overlays {
  readonly group = new Group();
  /** Of arrows, against their usual length. */
  scale = 1;
  private readonly ribbons: Ribbons;
  private readonly heads: Solids;
  private readonly points: Solids;
  private readonly comBall = massBall();
  private readonly path: Path;
  private readonly resolution = new Vector2(1, 1);
  private readonly screw: Screw = makeScrew();
  private readonly a = new Float64Array(3);
  private readonly b = new Float64Array(3);
  private readonly c = new Float64Array(3);
  private readonly place = new Float64Array(3);
  private readonly forceScale: number;
  private readonly torqueScale: number;
  private readonly spinScale: number;
  private readonly speedScale: number;
  private readonly momentumScale: number;
  private readonly angularScale: number;
  private readonly impulseScale: number;
  private readonly pressScale: number;
  private readonly rollScale: number;
  private readonly contactTime: number;
  /** [m] that sizes of heads and threads are parts of: smaller where there are many. */
  private readonly markSize: number;

  constructor(private readonly data: ReportData, private readonly replay: Replay, private readonly joints: JointMarks, private readonly extent: Extent, private readonly colours: MarkColours) {
    const n = data.scene.bodies.length + data.scene.joints.length + data.scene.frames.length;
    const touching = replay.contacts?.most ?? 0;
    this.ribbons = new Ribbons(16 * n + 3 * touching + 500, 2 * n + 16, 0.3, 5);
    this.heads = arrowHeads(1500 + 4 * touching);
    this.points = balls(400 + touching);
    this.path = new Path(replay.coms, replay.t, colours.of.com, this.resolution);
    this.markSize = extent.size * Math.min(1, Math.max(0.45, Math.sqrt(10 / Math.max(1, data.scene.bodies.length))));
    const inverse = (x: number) => (x > 0 ? 1 / x : 0);
    this.spinScale = inverse(typicalLargest(replay.twists, 6, 3));
    this.speedScale = inverse(typicalLargest(replay.twists, 6, 0));
    const contacts = replay.contacts;
    this.pressScale = inverse(extent.press);
    // Of joints that carry nothing (bodies that are free) there is rounding, which is not to be seen.
    const weight = data.scene.bodies.reduce((sum, body) => sum + body.mass, 0) * Math.hypot(...data.scene.gravity);
    const none = 1e-7 * (weight + extent.press);
    const beyond = (x: number, least: number) => (x > least ? 1 / x : 0);
    this.rollScale = beyond(typicalLargest(contacts?.moments ?? null, 3, 0), none * extent.size);
    this.forceScale = beyond(typicalLargest(replay.wrenches, 6, 0), none);
    this.torqueScale = beyond(typicalLargest(replay.wrenches, 6, 3), none * extent.size);
    this.momentumScale = inverse(typicalLargest(replay.momenta, 6, 0));
    this.angularScale = inverse(this.largestSpinMomentum());
    this.impulseScale = inverse(data.contacts.reduce((most, c) => Math.max(most, this.impulseSize(c.impulse)), 0));
    this.contactTime = 0.04 * (replay.end - replay.start);
    this.comBall.scale.setScalar(0.016 * extent.size);
    this.group.add(this.ribbons.group, this.heads.mesh, this.points.mesh, this.comBall, this.path.mesh);
  }

  setResolution(width: number, height: number): void {
    this.ribbons.setResolution(width, height);
    this.resolution.set(width, height);
  }

  draw(shown: Shown, selected: number): void {
    this.ribbons.begin();
    this.heads.begin();
    this.points.begin();
    const only = shown.onlySelected ? selected : -2;
    if (shown.frames) this.drawFrames(only);
    if (shown.twists) this.drawTwists(only);
    if (shown.wrenches && this.replay.wrenches) this.drawWrenchScrews(only);
    if (shown.reactions && this.replay.wrenches) this.drawReactions(only);
    if (shown.forces) this.drawContactForces(only);
    if (shown.contacts) this.drawContacts(only);
    this.comBall.visible = this.path.mesh.visible = shown.com;
    if (shown.com) {
      this.comBall.position.set(this.replay.com[0], this.replay.com[1], this.replay.com[2]);
      this.path.setNow(this.replay.time - this.replay.start);
    }
    if (shown.momentum && this.replay.momenta) this.drawMomentum();
    this.ribbons.finish();
    this.heads.finish();
    this.points.finish();
  }

  private drawTwists(only: number): void {
    const { replay, place, screw } = this, bodies = this.data.scene.bodies, size = this.extent.size;
    for (let i = 0; i < bodies.length; ++i) {
      if (only !== -2 && i !== only) continue;
      twistScrew(replay.twist, 6 * i, replay.pose, 7 * i, size, screw);
      const com = bodies[i].com;
      rotate(replay.pose, 7 * i + 3, com[0], com[1], com[2], place, 0);
      for (let k = 0; k < 3; ++k) place[k] += replay.pose[7 * i + k];
      const share = screw.magnitude * (screw.kind === "line" ? this.spinScale : this.speedScale);
      this.drawScrew(place, share, this.colours.of.twist);
    }
  }

  private drawWrenchScrews(only: number): void {
    const { replay, place, screw } = this, joints = this.data.scene.joints, size = this.extent.size;
    for (let j = 0; j < joints.length; ++j) {
      if (only !== -2 && joints[j].child !== only) continue;
      for (let k = 0; k < 3; ++k) place[k] = this.joints.places[7 * j + k];
      wrenchScrew(replay.wrench, 6 * j, place, 0, size, screw);
      const share = screw.magnitude * (screw.kind === "line" ? this.forceScale : this.torqueScale);
      this.drawScrew(place, share, this.colours.of.wrench);
    }
  }

  /** this.screw as an axis with a thread of its pitch, about the point of the axis nearest to `near`. */
  private drawScrew(near: Float64Array, share: number, colour: Color): void {
    const { screw, a, b, c, ribbons } = this, size = this.extent.size;
    if (screw.kind === "none" || !(share > 1e-5)) return;
    const d = screw.direction;
    let along = 0;
    for (let k = 0; k < 3; ++k) along += (near[k] - screw.point[k]) * d[k];
    const length = size * (0.12 + 0.3 * Math.min(share, 1.5)) * this.scale;
    for (let k = 0; k < 3; ++k) {
      a[k] = screw.point[k] + (along - 0.5 * length) * d[k];
      b[k] = a[k] + length * d[k];
    }
    const alpha = 0.35 + 0.6 * Math.min(share * 3, 1);
    ribbons.line(a[0], a[1], a[2], b[0], b[1], b[2], colour, alpha, screw.kind === "couple" ? 3 : 1.8);
    this.head(b, d, 0.012 * this.markSize, colour);
    if (screw.kind === "couple") return;
    across(d[0], d[1], d[2], c, 0);
    const radius = 0.018 * this.markSize;
    if (Math.abs(screw.pitch) < 2e-4 * size) {
      for (let k = 0; k < 3; ++k) a[k] = 0.5 * (a[k] + b[k]);
      ribbons.helix(a, d, c, 0, radius, 0.85, colour, alpha, 1.8);
    } else {
      ribbons.helix(a, d, c, 0.92 * length, radius, threadTurns(screw.pitch, 0.92 * length, 14), colour, alpha, 1.8);
    }
    // A thin line leads to an axis that is far from its body.
    for (let k = 0; k < 3; ++k) a[k] = screw.point[k] + along * d[k];
    const gap = Math.hypot(a[0] - near[0], a[1] - near[1], a[2] - near[2]);
    if (gap > 0.03 * size && gap < 0.7 * size) ribbons.line(near[0], near[1], near[2], a[0], a[1], a[2], colour, 0.3, 1);
  }

  private drawReactions(only: number): void {
    const { replay, place } = this, joints = this.data.scene.joints, w = replay.wrench;
    for (let j = 0; j < joints.length; ++j) {
      if (only !== -2 && joints[j].child !== only) continue;
      for (let k = 0; k < 3; ++k) place[k] = this.joints.places[7 * j + k];
      this.arrow(place, w[6 * j], w[6 * j + 1], w[6 * j + 2], this.forceScale, this.colours.of.force, false);
      this.arrow(place, w[6 * j + 3], w[6 * j + 4], w[6 * j + 5], this.torqueScale, this.colours.of.torque, true);
    }
  }

  private drawMomentum(): void {
    const { replay, place } = this, m = replay.momentum, o = replay.origin;
    for (let k = 0; k < 3; ++k) place[k] = replay.com[k];
    this.arrow(place, m[0], m[1], m[2], this.momentumScale, this.colours.of.momentum, false);
    // About the centre of mass: L - c x p.
    const x = place[0] + o[0], y = place[1] + o[1], z = place[2] + o[2];
    this.arrow(place, m[3] - (y * m[2] - z * m[1]), m[4] - (z * m[0] - x * m[2]), m[5] - (x * m[1] - y * m[0]), this.angularScale, this.colours.of.spin, true);
  }

  private largestSpinMomentum(): number {
    const { momenta, coms, origin, count } = this.replay;
    if (!momenta) return 0;
    const spin = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) {
      const x = coms[3 * i] + origin[0], y = coms[3 * i + 1] + origin[1], z = coms[3 * i + 2] + origin[2], o = 6 * i;
      spin[3 * i] = momenta[o + 3] - (y * momenta[o + 2] - z * momenta[o + 1]);
      spin[3 * i + 1] = momenta[o + 4] - (z * momenta[o] - x * momenta[o + 2]);
      spin[3 * i + 2] = momenta[o + 5] - (x * momenta[o + 1] - y * momenta[o]);
    }
    return typicalLargest(spin, 3, 0);
  }

  /** An arrow whose length is `reach` for 1 / scale, else a third of the scene's size; moments have two heads. */
  private arrow(from: Float64Array, x: number, y: number, z: number, scale: number, colour: Color, moment: boolean, reach = 0.3 * this.extent.size): void {
    const size = Math.sqrt(x * x + y * y + z * z), share = size * scale;
    if (!(share > 1e-4)) return;
    const length = reach * this.scale * Math.min(share, 2);
    const { a, b } = this;
    a[0] = x / size; a[1] = y / size; a[2] = z / size;
    const head = Math.min(0.013 * this.markSize, 0.07 * reach) * Math.min(1, 0.3 + 2 * share);
    for (let k = 0; k < 3; ++k) b[k] = from[k] + length * a[k];
    this.ribbons.line(from[0], from[1], from[2], b[0], b[1], b[2], colour, 1, 3);
    this.head(b, a, head, colour);
    if (!moment) return;
    for (let k = 0; k < 3; ++k) b[k] -= 2 * head * a[k];
    this.head(b, a, head, colour);
  }

  private head(at: Float64Array, d: Float64Array, radius: number, colour: Color): void {
    this.heads.add(at[0], at[1], at[2], d[0], d[1], d[2], radius, 2.6 * radius, colour);
  }

  /** Contacts of the last moments, fading. */
  private drawContacts(only: number): void {
    const { contacts } = this.data, now = this.replay.time, place = this.place;
    for (let i = 0; i < contacts.length; ++i) {
      const contact = contacts[i], age = now - contact.t;
      if (age < 0 || age > this.contactTime || (only !== -2 && !contact.bodies.includes(only))) continue;
      const fresh = 1 - age / this.contactTime;
      for (let k = 0; k < 3; ++k) place[k] = contact.p[k] - this.replay.origin[k];
      this.points.ball(place[0], place[1], place[2], 0.008 * this.extent.size * (0.5 + 0.5 * fresh), this.colours.of.contact);
      const j = contact.impulse, n = contact.n;
      if (typeof j === "number") this.arrow(place, n[0] * j, n[1] * j, n[2] * j, this.impulseScale * fresh, this.colours.of.contact, false);
      else this.arrow(place, j[0], j[1], j[2], this.impulseScale * fresh, this.colours.of.contact, false);
    }
  }

  /** Normal forces and friction on one scale, so that their cone is seen; on the body that stands on the ground or on the other. */
  private drawContactForces(only: number): void {
    const { contacts } = this.replay, place = this.place, of = this.colours.of, reach = this.extent.pressLength;
    if (!contacts) return;
    const { who, point, normal, friction, moment } = contacts;
    for (let c = 0; c < 3 * contacts.count; c += 3) {
      if (only !== -2 && who[c] !== only && who[c + 1] !== only) continue;
      const sign = only !== -2 && who[c] === only ? -1 : 1;
      for (let k = 0; k < 3; ++k) place[k] = point[c + k];
      this.points.ball(place[0], place[1], place[2], Math.min(0.005 * this.markSize, 0.03 * reach), who[c + 2] === 1 ? of.rub : of.press);
      this.arrow(place, sign * normal[c], sign * normal[c + 1], sign * normal[c + 2], this.pressScale, of.press, false, reach);
      this.arrow(place, sign * friction[c], sign * friction[c + 1], sign * friction[c + 2], this.pressScale, of.rub, false, reach);
      this.arrow(place, sign * moment[c], sign * moment[c + 1], sign * moment[c + 2], this.rollScale, of.rub, true, reach);
    }
  }

  private impulseSize(impulse: number | readonly number[]): number {
    return typeof impulse === "number" ? Math.abs(impulse) : Math.hypot(impulse[0], impulse[1], impulse[2]);
  }

  private drawFrames(only: number): void {
    const { replay, place, a } = this, frames = this.data.scene.frames, size = this.extent.size;
    const o = replay.origin;
    if (only === -2 && Math.hypot(o[0], o[1], o[2]) < 20 * this.extent.sweep) {
      for (let k = 0; k < 3; ++k) place[k] = -o[k];
      this.triad(0.13 * size, kNoTurn, 0, 2.2);
    }
    for (let i = 0; i < replay.bodies; ++i) {
      if (only !== -2 && i !== only) continue;
      for (let k = 0; k < 3; ++k) place[k] = replay.pose[7 * i + k];
      this.triad(0.06 * size, replay.pose, 7 * i + 3, 1.6);
    }
    for (let i = 0; i < frames.length; ++i) {
      const frame = frames[i];
      if (only !== -2 && frame.body !== only) continue;
      if (frame.body < 0) {
        for (let k = 0; k < 3; ++k) place[k] = frame.p[k] - o[k];
        this.triad(0.08 * size, frame.q, 0, 2);
        continue;
      }
      const at = 7 * frame.body;
      rotate(replay.pose, at + 3, frame.p[0], frame.p[1], frame.p[2], a, 0);
      for (let k = 0; k < 3; ++k) place[k] = replay.pose[at + k] + a[k];
      multiply(replay.pose, at + 3, frame.q, 0, this.turn, 0);
      this.triad(0.08 * size, this.turn, 0, 2);
    }
  }

  private readonly turn = new Float64Array(4);

  private triad(length: number, q: ArrayLike<number>, o: number, width: number): void {
    const { place, a, ribbons } = this, of = this.colours.of;
    for (let k = 0; k < 3; ++k) {
      rotate(q, o, k === 0 ? length : 0, k === 1 ? length : 0, k === 2 ? length : 0, a, 0);
      const colour = k === 0 ? of.x : k === 1 ? of.y : of.z;
      ribbons.line(place[0], place[1], place[2], place[0] + a[0], place[1] + a[1], place[2] + a[2], colour, 1, width);
    }
  }
}

const kNoTurn = [0, 0, 0, 1];
