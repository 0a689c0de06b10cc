import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agreement, Difference } from "./compare.ts";

/** An accepted kind of difference, with the reason. */
export interface Waiver {
  reason: string;
  peer?: string;
  operation?: string;
  /** Regular expressions for the two sides of the difference. */
  ours?: string;
  theirs?: string;
  /** How far the other peer must agree with stoa, at least. */
  otherAgrees?: Agreement;
  /** Set if not every run needs it. */
  seldom?: true;
}

/** The list of waivers, with the number of uses of each. */
export class Waivers {
  readonly used: Map<Waiver, number>;

  constructor(file = join(import.meta.dirname, "../waivers.json")) {
    const list = JSON.parse(readFileSync(file, "utf8")) as Waiver[];
    this.used = new Map(list.map((waiver) => [waiver, 0]));
  }

  /** Returns the waiver that explains a difference, if any. */
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
