interface Node {
  id: string;
  parentId: string | null;
}

/** Parents before their children. One with an unknown parent goes to the top level; none is lost. */
export function orderTree<T extends Node>(items: readonly T[]): Array<{ item: T; depth: number }> {
  const ids = new Set(items.map(({ id }) => id));
  const placed = new Set<string>();
  const rows: Array<{ item: T; depth: number }> = [];
  const place = (item: T, depth: number) => {
    if (placed.has(item.id)) return;
    placed.add(item.id);
    rows.push({ item, depth });
    for (const child of items) if (child.parentId === item.id) place(child, depth + 1);
  };
  for (const item of items) if (item.parentId === null || !ids.has(item.parentId)) place(item, 0);
  // Two that name each other as parent have no root.
  for (const item of items) place(item, 0);
  return rows;
}
