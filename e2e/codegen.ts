import type { CodegenConfig } from "@graphql-codegen/cli";

// Types are generated from the output of the binary: `stoa schema > out/schema.graphqls`, and
// `stoa schema --system pantry` for a sibling.
const config: CodegenConfig = {
  generates: {
    "src/pantry/generated/": {
      schema: "out/pantry.graphqls",
      documents: ["src/pantry/*.ts"],
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: { useTypeImports: true, enumsAsTypes: true, scalars: { DateTime: "string", Decimal: { input: "number | string", output: "number" } } },
    },
    "src/communities/generated/": {
      schema: "out/communities.graphqls",
      documents: ["src/communities/*.ts"],
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: { useTypeImports: true, enumsAsTypes: true, scalars: { DateTime: "string" } },
    },
    "src/messaging/generated/": {
      schema: "out/messaging.graphqls",
      documents: ["src/messaging/*.ts"],
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: { useTypeImports: true, enumsAsTypes: true, scalars: { DateTime: "string", JSON: "unknown" } },
    },
    "src/archive/generated/": {
      schema: "out/archive.graphqls",
      documents: ["src/archive/*.ts"],
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: { useTypeImports: true, enumsAsTypes: true, scalars: { DateTime: "string", JSON: "{ [name: string]: unknown }" } },
    },
    "src/generated/": {
      schema: "out/schema.graphqls",
      documents: ["src/*.ts"],
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { AWSDateTime: "string", AWSEmail: "string", AWSPhone: "string" },
      },
    },
  },
};

export default config;
