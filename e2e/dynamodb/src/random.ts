/** A deterministic random number generator (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** A number from 0 up to, but not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from low to high, inclusive. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.int(0, choices.length - 1)]!;
  }

  /** Some of the choices, each at most once, in random order. */
  some<T>(choices: readonly T[], least: number, most: number): T[] {
    const left = [...choices];
    const taken: T[] = [];
    for (let n = this.int(least, Math.min(most, left.length)); n > 0; n--) {
      taken.push(...left.splice(this.int(0, left.length - 1), 1));
    }
    return taken;
  }

  list<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: this.int(least, most) }, make);
  }
}
