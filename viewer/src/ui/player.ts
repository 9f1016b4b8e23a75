// The time that is shown, and how it runs on.

export const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 20, 50, 100];

export class Player {
  time: number;
  playing = false;
  loop = true;
  speed: number;
  private readonly listeners: (() => void)[] = [];

  constructor(readonly t: ArrayLike<number>) {
    this.time = this.start;
    this.speed = firstSpeed(this.end - this.start);
  }

  get start(): number {
    return this.t.length > 0 ? this.t[0] : 0;
  }

  get end(): number {
    return this.t.length > 0 ? this.t[this.t.length - 1] : 0;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private tell(): void {
    for (let i = 0; i < this.listeners.length; ++i) this.listeners[i]();
  }

  setTime(time: number): void {
    const clipped = Math.min(Math.max(time, this.start), this.end);
    if (Number.isNaN(clipped) || clipped === this.time) return;
    this.time = clipped;
    this.tell();
  }

  play(on: boolean): void {
    if (on === this.playing || (on && !(this.end > this.start))) return;
    this.playing = on;
    if (on && this.time >= this.end) this.time = this.start;
    this.tell();
  }

  /** [s] of the wall clock have gone by. */
  advance(seconds: number): void {
    if (!this.playing) return;
    let next = this.time + seconds * this.speed;
    if (next > this.end) {
      const length = this.end - this.start;
      if (this.loop) next = this.start + ((next - this.start) % length);
      else {
        next = this.end;
        this.playing = false;
      }
    }
    this.time = next;
    this.tell();
  }

  /** To the instant `count` frames on (or back); frames of one instant, before and after a blow, count as one. */
  step(count: number): void {
    const tiny = 1e-9 * (this.end - this.start), t = this.t;
    this.playing = false;
    if (t.length === 0) return;
    for (let n = 0; n < Math.abs(count); ++n) {
      if (count > 0) {
        let i = 0;
        while (i + 1 < t.length && t[i] <= this.time + tiny) ++i;
        this.time = Math.max(t[i], this.time);
      } else {
        let i = t.length - 1;
        while (i > 0 && t[i] >= this.time - tiny) --i;
        this.time = Math.min(t[i], this.time);
      }
    }
    this.tell();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell();
  }

  faster(steps: number): void {
    const nearest = kSpeeds.reduce((best, s, i) => (Math.abs(Math.log(s / this.speed)) < Math.abs(Math.log(kSpeeds[best] / this.speed)) ? i : best), 0);
    this.setSpeed(kSpeeds[Math.min(Math.max(nearest + steps, 0), kSpeeds.length - 1)]);
  }
}

/** True time, unless the run would be over in 2 s or take longer than 60 s. */
export function firstSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= 2 && duration <= 60)) return 1;
  const wanted = duration < 2 ? duration / 4 : duration / 30;
  if (duration >= 1 && duration < 2) return 0.5;
  let best = kSpeeds[0];
  for (const speed of kSpeeds) if (speed <= wanted || speed === kSpeeds[0]) best = speed;
  return best;
}
