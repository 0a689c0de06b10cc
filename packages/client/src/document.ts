/**
 * An operation: its text, or a typed document as gql.tada and graphql-codegen make them. A document that is not a text is
 * printed by the option `print`.
 */
export type Document<Data, Variables> = string | TypedDocument<Data, Variables>;

/** The part of a typed document that carries its types. */
export interface TypedDocument<Data, Variables> {
  __apiType?: (variables: Variables) => Data;
}

/** Prints documents that are not texts: `print` of the package graphql. */
export type Print = (document: any) => string;

/** The text of an operation. */
export function textOf(document: Document<any, any>, print: Print | undefined): string {
  if (typeof document === "string" || document instanceof String) return String(document);
  if (!print) throw new TypeError("a document that is not a text needs the option print: import { print } from \"graphql\"");
  return print(document);
}
