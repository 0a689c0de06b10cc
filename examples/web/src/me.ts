import { createContext, useContext } from "react";

import type { Me } from "./api.ts";

export const MeContext = createContext<Me | null>(null);

/** Who is signed in. */
export function useMe(): Me {
  return useContext(MeContext)!;
}
