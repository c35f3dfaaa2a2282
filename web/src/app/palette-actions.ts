import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';

export interface PaletteAction {
  label: string;
  icon: LucideIcon;
  run: () => void;
  /** The key that does the same. */
  hint?: string;
}

const sources: Array<{ current: readonly PaletteAction[] }> = [];

export function activePaletteActions(): readonly PaletteAction[] {
  return sources.flatMap((source) => source.current);
}

/** What the palette offers while the component is there. */
export function usePaletteActions(actions: readonly PaletteAction[]) {
  const source = useRef(actions);
  useEffect(() => {
    source.current = actions;
  });
  useEffect(() => {
    sources.push(source);
    return () => void sources.splice(sources.indexOf(source), 1);
  }, []);
}
