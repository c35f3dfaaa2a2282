import { createContext, useContext, useState } from 'react';

/** What the reader has opened. Kept outside of the rows, which are built anew when they scroll out of sight and back. */
const FoldsContext = createContext<Map<string, boolean>>(new Map());
export const FoldsProvider = FoldsContext.Provider;

export function useFold(key: string, { initially = false } = {}): [boolean, () => void] {
  const folds = useContext(FoldsContext);
  const [open, setOpen] = useState(() => folds.get(key) ?? initially);
  const toggle = () => {
    folds.set(key, !open);
    setOpen(!open);
  };
  return [open, toggle];
}
