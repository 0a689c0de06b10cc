/** Part of a list. */
export interface Page<Item> {
  items: readonly Item[];
  /** Token of the next page; null on the last. */
  nextToken?: string | null;
}

/**
 * Reads a list page by page until the last. A page may be short, or empty, although more follow: what the viewer may not
 * see is left out. A list that is null has no pages.
 */
export async function* pagesOf<P extends Page<unknown>>(read: (nextToken: string | null) => Promise<P | null | undefined>): AsyncGenerator<P> {
  for (let token: string | null | undefined = null; ; ) {
    const page: P | null | undefined = await read(token);
    if (!page) return;
    yield page;
    token = page.nextToken;
    if (!token) return;
  }
}
