// The 3D view: what is in it, its light and camera, picking, and pictures of any instant.
import { AmbientLight, DirectionalLight, HemisphereLight, PCFShadowMap, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { ReportData } from "../data/contract";
import type { Replay } from "../data/replay";
import { rotate } from "../screw/rotate";
import { BodyShapes } from "./body_shapes";
import { measure, type Extent } from "./extent";
import { Ground } from "./ground";
import { JointMarks } from "./joint_marks";
import { Overlays, type Shown } from "./overlays";
import { MarkColours, type Theme } from "./palette";
import { Ribbons } from "./ribbons";
import { sticks } from "./solids";
import { firstDirection, firstView, fit } from "./view_fit";

export interface ScreenPlace {
  x: number;
  y: number;
  /** In front of the eye and inside the view. */
  visible: boolean;
}

export class Stage {
  readonly extent: Extent;
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly ground: Ground;
  readonly bodies: BodyShapes;
  readonly overlays: Overlays;
  selected = -1;
  /** The camera goes with the centre of mass. */
  follow: boolean;
  private readonly scene = new Scene();
  private readonly renderer: WebGLRenderer;
  private readonly joints: JointMarks;
  private readonly colours: MarkColours;
  private readonly ribbons: Ribbons;
  private readonly sticks;
  private readonly sun = new DirectionalLight(0xffffff, 2.6);
  private readonly fill = new DirectionalLight(0xffffff, 0.5);
  private readonly sky = new HemisphereLight(0xffffff, 0xb0b8c0, 1.5);
  private readonly ambient = new AmbientLight(0xffffff, 0.25);
  private readonly sunDirection = new Vector3();
  private readonly raycaster = new Raycaster();
  private readonly work = new Vector3();
  private readonly followed = new Vector3();
  private readonly point = new Float64Array(3);
  private width = 1;
  private height = 1;
  private shadowsOn = true;

  /** Throws when the browser has no WebGL. */
  constructor(private readonly data: ReportData, private readonly replay: Replay, readonly canvas: HTMLCanvasElement, theme: Theme) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.info.autoReset = false;
    this.renderer.debug.checkShaderErrors = false;  // asking makes the browser wait for its compiler
    this.extent = measure(data, replay);
    const { size, sweep, up } = this.extent;
    this.colours = new MarkColours(theme);
    this.joints = new JointMarks(data, replay, this.extent);
    this.bodies = new BodyShapes(data, size, this.extent.mechanism, this.extent.floors, this.colours.of.select, replay.origin, this.extent.levels);
    this.overlays = new Overlays(data, replay, this.joints, this.extent, this.colours);
    this.follow = sweep > 4 * Math.max(size, this.extent.around);
    this.ground = new Ground(this.extent.groundUp, this.extent.ground, size, Math.max(sweep, this.extent.around), 1.5 * this.shadowReach(), replay.origin, this.colours.of.grid);
    const axes = data.scene.joints.reduce((n, joint) => n + Math.max(1, joint.axes.length), 0);
    this.ribbons = new Ribbons(4 * axes + 2 * data.scene.springs.length + 8, 3 * axes + data.scene.springs.length + 8, 0.3, 4);
    this.sticks = sticks(2 * data.scene.joints.length + 1);
    this.scene.add(this.ground.group, this.bodies.group, this.bodies.outline, this.sticks.mesh, this.ribbons.group, this.overlays.group);
    this.camera = new PerspectiveCamera(36, 1, 1e-3 * size, 60 * Math.max(size, Math.min(sweep, 10 * size)));
    this.camera.up.set(up[0], up[1], up[2]);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.minDistance = 0.02 * size;
    this.controls.maxDistance = 25 * Math.max(size, Math.min(sweep, 10 * size));
    this.addLight();
    this.setTheme(theme);
    this.place();
  }

  private addLight(): void {
    const up = this.work.set(this.extent.up[0], this.extent.up[1], this.extent.up[2]).clone();
    const view = firstDirection(this.extent);
    const side = new Vector3().crossVectors(up, view).normalize();
    this.sunDirection.copy(up).multiplyScalar(0.95).addScaledVector(side, -0.6).addScaledVector(view, 0.55).normalize();
    this.fill.position.copy(side).addScaledVector(up, 0.15).addScaledVector(view, 0.55);
    this.sky.position.copy(up);
    const reach = this.shadowReach();
    const eye = this.sun.shadow.camera;
    eye.left = eye.bottom = -reach;
    eye.right = eye.top = reach;
    eye.near = 0.1 * reach;
    eye.far = 6 * reach;
    this.sun.userData.distance = 3 * reach;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 2.5;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.004 * this.extent.size;
    this.scene.add(this.sun, this.sun.target, this.fill, this.sky, this.ambient);
  }

  /** [m] from the centre to which shadows are drawn. */
  private shadowReach(): number {
    return 0.56 * (this.follow ? 1.6 * this.extent.size : Math.max(this.extent.sweep, this.extent.around)) + 0.03 * this.extent.size;
  }

  setTheme(theme: Theme): void {
    const dark = theme === "dark";
    this.colours.set(theme);
    this.ground.setDark(dark);
    this.sun.intensity = dark ? 2.1 : 2.3;
    this.sky.intensity = dark ? 0.8 : 1.25;
    this.sky.groundColor.set(dark ? 0x2a313a : 0xa9b2bb);
    this.fill.intensity = dark ? 0.6 : 0.7;
  }

  resize(width: number, height: number, ratio: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.width, this.height, false);
    this.camera.aspect = this.width / this.height;
    this.camera.updateProjectionMatrix();
    this.ribbons.setResolution(this.width, this.height);
    this.bodies.setResolution(this.width, this.height);
    this.overlays.setResolution(this.width, this.height);
  }

  /** Looks at everything from where the eye is, or at first from a good side. */
  fitView(direction?: Vector3): void {
    const from = direction ?? this.work.copy(this.camera.position).sub(this.controls.target).clone();
    fit(this.camera, this.controls.target, from, this.ballsInView(), 0.2 * this.extent.size);
    this.followed.set(this.replay.com[0], this.replay.com[1], this.replay.com[2]);
    this.controls.update();
  }

  firstView(): void {
    this.fitView(this.follow ? firstDirection(this.extent) : firstView(this.camera, this.controls.target, this.extent, 0.2 * this.extent.size));
  }

  /** All that was anywhere, or what is there now when the camera follows. */
  private ballsInView(): Float32Array {
    if (!this.follow) return this.extent.balls;
    const n = this.replay.bodies, balls = new Float32Array(4 * n);
    for (let i = 0; i < n; ++i) {
      for (let k = 0; k < 3; ++k) balls[4 * i + k] = this.replay.pose[7 * i + k];
      balls[4 * i + 3] = Math.min(this.extent.reach[i], this.extent.size);
    }
    return balls;
  }

  /** Moves close to one body. */
  fitBody(body: number): void {
    const balls = new Float32Array(4);
    for (let k = 0; k < 3; ++k) balls[k] = this.replay.pose[7 * body + k];
    balls[3] = Math.max(this.extent.reach[body], 0.04 * this.extent.size);
    const from = this.work.copy(this.camera.position).sub(this.controls.target).clone();
    fit(this.camera, this.controls.target, from, balls, 0.05 * this.extent.size);
    this.controls.update();
  }

  /** Turns the camera about its target [rad] and changes its distance by a factor. */
  orbit(azimuth: number, elevation: number, zoom: number): void {
    const offset = this.work.copy(this.camera.position).sub(this.controls.target);
    offset.applyAxisAngle(this.camera.up, azimuth);
    const right = new Vector3().crossVectors(this.camera.up, offset).normalize();
    const angle = offset.angleTo(this.camera.up) - elevation;
    if (right.lengthSq() > 0 && angle > 0.02 && angle < Math.PI - 0.02) offset.applyAxisAngle(right, -elevation);
    this.camera.position.copy(this.controls.target).addScaledVector(offset, zoom);
    this.controls.update();
  }

  select(body: number): void {
    this.selected = body;
    this.bodies.select(body);
  }

  /** Puts the bodies where the replay is. */
  place(): void {
    this.bodies.place(this.replay.pose);
    this.joints.place();
  }

  render(shown: Shown): void {
    this.followMotion();
    this.ribbons.begin();
    this.sticks.begin();
    if (shown.joints) this.joints.draw(this.ribbons, this.colours, this.selected);
    this.joints.drawSprings(this.ribbons, this.colours);
    this.joints.drawSticks(this.sticks, this.colours);
    this.ribbons.finish();
    this.sticks.finish();
    this.overlays.draw(shown, this.selected);
    this.aimSun();
    this.ground.centreOn(this.follow ? this.followed : this.controls.target, this.sun.target.position);
    this.ground.show(shown.ground, shown.shadows);
    if (this.shadowsOn !== shown.shadows) {
      this.shadowsOn = shown.shadows;
      this.sun.castShadow = shown.shadows;
    }
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.camera);
  }

  private followMotion(): void {
    if (!this.follow) return;
    const com = this.work.set(this.replay.com[0], this.replay.com[1], this.replay.com[2]);
    this.camera.position.add(com).sub(this.followed);
    this.controls.target.add(com).sub(this.followed);
    this.followed.copy(com);
    this.camera.updateMatrixWorld();
  }

  setFollow(on: boolean): void {
    this.follow = on;
    this.followed.set(this.replay.com[0], this.replay.com[1], this.replay.com[2]);
  }

  private readonly centre = new Vector3(NaN, 0, 0);

  private aimSun(): void {
    if (this.follow) {
      this.sun.target.position.copy(this.followed);
    } else {
      if (Number.isNaN(this.centre.x)) this.centreOfAll();
      this.sun.target.position.copy(this.centre);
    }
    this.sun.position.copy(this.sun.target.position).addScaledVector(this.sunDirection, this.sun.userData.distance as number);
  }

  private centreOfAll(): void {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], balls = this.extent.balls;
    for (let i = 0; i < balls.length; i += 4)
      for (let k = 0; k < 3; ++k) {
        low[k] = Math.min(low[k], balls[i + k]);
        high[k] = Math.max(high[k], balls[i + k]);
      }
    this.centre.set(0, 0, 0);
    if (Number.isFinite(low[0])) this.centre.set(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
  }

  /** Returns when everything so far is really drawn. */
  wait(): void {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, this.onePixel);
  }

  private readonly onePixel = new Uint8Array(4);

  get drawCalls(): number {
    return this.renderer.info.render.calls;
  }

  get triangles(): number {
    return this.renderer.info.render.triangles;
  }

  /** The body at a place of the view [CSS px]; -1: none. */
  pick(x: number, y: number): number {
    this.raycaster.setFromCamera(new Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera);
    return this.bodies.pick(this.raycaster);
  }

  /** Where a body's centre of mass is in the view [CSS px]. */
  project(body: number, out: ScreenPlace): void {
    const com = this.data.scene.bodies[body].com, o = 7 * body, pose = this.replay.pose, p = this.point;
    rotate(pose, o + 3, com[0], com[1], com[2], p, 0);
    this.work.set(p[0] + pose[o], p[1] + pose[o + 1], p[2] + pose[o + 2]).project(this.camera);
    out.x = (0.5 + 0.5 * this.work.x) * this.width;
    out.y = (0.5 - 0.5 * this.work.y) * this.height;
    out.visible = Math.abs(this.work.x) <= 1 && Math.abs(this.work.y) <= 1 && this.work.z > -1 && this.work.z < 1;
  }

  /** Where the joint of a body has its frame: position, relative to the replay's origin. */
  jointPlace(joint: number, out: Float64Array): void {
    for (let k = 0; k < 3; ++k) out[k] = this.joints.places[7 * joint + k];
  }
}
