import { initGraphQLTada } from "gql.tada";

import type { introspection } from "./schema.d.ts";

/** Operations, typed by the schema: `npm run check` fails if one asks for what the API does not have. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { DateTime: string; Long: number };
}>();
