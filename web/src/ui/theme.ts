import { useSyncExternalStore } from 'react';

/** Also read by public/theme.js before the first paint. */
const KEY = 'groundcontrol.theme';

export type Theme = 'light' | 'dark';
export type ThemeChoice = Theme | 'system';

const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function currentChoice(): ThemeChoice {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

function currentTheme(): Theme {
  const choice = currentChoice();
  if (choice !== 'system') return choice;
  return system.matches ? 'dark' : 'light';
}

function choose(choice: ThemeChoice) {
  document.documentElement.dataset.theme = choice === 'system' ? '' : choice;
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  for (const listener of listeners) listener();
}

/** Choosing the system's own theme means following the system again. */
function toggle() {
  const next = currentTheme() === 'dark' ? 'light' : 'dark';
  choose(next === (system.matches ? 'dark' : 'light') ? 'system' : next);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  system.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', listener);
  };
}

export function useTheme() {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  const choice = useSyncExternalStore(subscribe, currentChoice);
  return { theme, choice, choose, toggle };
}
