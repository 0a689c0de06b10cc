import type { CodegenConfig } from "@graphql-codegen/cli";

// Types come from what the binary itself prints: `stoa schema > out/schema.graphqls`.
const config: CodegenConfig = {
  schema: "out/schema.graphqls",
  documents: ["src/**/*.ts", "!src/generated/**"],
  generates: {
    "src/generated/": {
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
