import { useState } from 'react';

/** Also read by public/theme.js, before the first paint. */
const KEY = 'groundcontrol.theme';

export type Theme = 'light' | 'dark';

const systemTheme = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : systemTheme();
}

/** Choosing what the system has anyway means to follow the system again. */
function choose(theme: Theme) {
  const followsSystem = theme === systemTheme();
  document.documentElement.dataset.theme = followsSystem ? '' : theme;
  if (followsSystem) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
}

export function useTheme(): { theme: Theme; toggle: () => void } {
  const [theme, setTheme] = useState(currentTheme);
  const toggle = () => {
    const next = currentTheme() === 'dark' ? 'light' : 'dark';
    choose(next);
    setTheme(next);
  };
  return { theme, toggle };
}
