import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';

export interface PaletteAction {
  label: string;
  icon: LucideIcon;
  run: () => void;
  /** The keyboard shortcut for the same action. */
  hint?: string;
}

type Source = () => readonly PaletteAction[];

const sources: Array<{ current: Source }> = [];

export function activePaletteActions(): readonly PaletteAction[] {
  return sources.flatMap((source) => source.current());
}

/** Actions the palette offers while the component is mounted. Read when the palette opens. */
export function usePaletteActions(actions: Source) {
  const source = useRef(actions);
  useEffect(() => {
    source.current = actions;
  });
  useEffect(() => {
    sources.push(source);
    return () => void sources.splice(sources.indexOf(source), 1);
  }, []);
}
