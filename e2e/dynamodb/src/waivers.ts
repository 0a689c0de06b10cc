import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agreement, Difference } from "./compare.ts";

/** A kind of difference that is accepted, and why. */
export interface Waiver {
  reason: string;
  peer?: string;
  operation?: string;
  /** Regular expressions for the two sides of the difference. */
  ours?: string;
  theirs?: string;
  /** The other peer must answer as stoa does, at least so far. */
  otherAgrees?: Agreement;
  /** Not every run needs it. */
  seldom?: true;
}

/** The written list, and how often each of its rows was needed. */
export class Waivers {
  readonly used: Map<Waiver, number>;

  constructor(file = join(import.meta.dirname, "../waivers.json")) {
    const list = JSON.parse(readFileSync(file, "utf8")) as Waiver[];
    this.used = new Map(list.map((waiver) => [waiver, 0]));
  }

  /** Returns the row that explains a difference, if one does. */
  explain(d: Difference): Waiver | undefined {
    for (const [w, times] of this.used) {
      if (
        (w.peer === undefined || w.peer === d.peer) &&
        (w.operation === undefined || new RegExp(`^(${w.operation})$`).test(d.operation)) &&
        (w.ours === undefined || new RegExp(w.ours, "s").test(d.ours)) &&
        (w.theirs === undefined || new RegExp(w.theirs, "s").test(d.theirs)) &&
        (w.otherAgrees === undefined || d.otherAgrees === "exactly" || w.otherAgrees === d.otherAgrees)
      ) {
        this.used.set(w, times + 1);
        return w;
      }
    }
    return undefined;
  }
}
