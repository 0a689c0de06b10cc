import { type DocumentNode, Kind, type OperationDefinitionNode, print, type SelectionNode, type SelectionSetNode, visit } from "@0no-co/graphql.web";

import type { stoa } from "./server.ts";

/** The fields of each type, with their types and arguments. */
type Types = Map<string, Map<string, { type: string; args: Set<string> }>>;

interface TypeRef {
  name: string | null;
  ofType?: TypeRef | null;
}

interface Introspected {
  __schema: {
    types: { name: string; fields: { name: string; args: { name: string }[]; type: TypeRef }[] | null; enumValues: { name: string }[] | null }[];
  };
}

const question = `{ __schema { types { name enumValues { name }
  fields { name args { name } type { name ofType { name ofType { name ofType { name } } } } } } } }`;

const roots = { query: "Query", mutation: "Mutation", subscription: "Subscription" };

/**
 * What the server has of the schema that this page is written against. The two differ while a new version takes over from
 * an old one: this page may come from one process and its answers from another.
 */
class Members {
  private types: Types = new Map();
  private enums = new Map<string, string[]>();
  private readonly fitted = new Map<unknown, { text: string; offered: boolean }>();

  async load(server: typeof stoa): Promise<void> {
    const { __schema: schema } = await server.query<Introspected>(question);
    this.types = new Map(schema.types.filter(({ fields }) => fields).map(({ name, fields }) => [name, new Map(fields!.map((field) => [
      field.name, { type: nameOf(field.type), args: new Set(field.args.map((arg) => arg.name)) },
    ]))]));
    this.enums = new Map(schema.types.filter(({ enumValues }) => enumValues).map(({ name, enumValues }) => [name, enumValues!.map((value) => value.name)]));
    this.fitted.clear();
  }

  /** Reports whether a type has a field, as in "Query.people". */
  has(member: string): boolean {
    const [type, field] = member.split(".");
    return this.types.get(type!)?.has(field!) ?? false;
  }

  /** The values of an enum. */
  values(name: string): string[] {
    return this.enums.get(name) ?? [];
  }

  /** Reports whether the server has the root fields of an operation. */
  offers(document: unknown): boolean {
    return this.fitting(document).offered;
  }

  /** The text of an operation without the fields and arguments that the server does not have. */
  fit(document: unknown): string {
    return this.fitting(document).text;
  }

  private fitting(document: unknown): { text: string; offered: boolean } {
    let found = this.fitted.get(document);
    if (!found) this.fitted.set(document, found = this.prune(document as DocumentNode));
    return found;
  }

  private prune(document: DocumentNode): { text: string; offered: boolean } {
    const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;
    let offered = true;
    const pruned = {
      ...document,
      definitions: document.definitions.map((definition) => {
        if (definition.kind === Kind.OPERATION_DEFINITION) {
          const selectionSet = this.select(definition.selectionSet, roots[definition.operation as keyof typeof roots]);
          offered = selectionSet.selections.length === operation.selectionSet.selections.length;
          const used = variablesIn(selectionSet);
          const variableDefinitions = definition.variableDefinitions?.filter(({ variable }) => used.has(variable.name.value));
          return { ...definition, variableDefinitions, selectionSet };
        }
        if (definition.kind !== Kind.FRAGMENT_DEFINITION) return definition;
        return { ...definition, selectionSet: this.select(definition.selectionSet, definition.typeCondition.name.value) };
      }),
    } as DocumentNode;
    return { text: print(pruned), offered };
  }

  private select(set: SelectionSetNode, type: string): SelectionSetNode {
    const selections = set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind !== Kind.FIELD) return [selection];
      const known = this.types.get(type)?.get(selection.name.value);
      if (!known) return [];
      const selectionSet = selection.selectionSet && this.select(selection.selectionSet, known.type);
      if (selectionSet && selectionSet.selections.length === 0) return [];
      return [{ ...selection, selectionSet, arguments: selection.arguments?.filter((arg) => known.args.has(arg.name.value)) }];
    });
    return { ...set, selections } as SelectionSetNode;
  }
}

function nameOf(type: TypeRef): string {
  return type.name ?? nameOf(type.ofType!);
}

function variablesIn(set: SelectionSetNode): Set<string> {
  const names = new Set<string>();
  visit(set, { Variable: (node) => void names.add(node.name.value) });
  return names;
}

export const members = new Members();
