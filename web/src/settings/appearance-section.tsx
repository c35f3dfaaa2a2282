import { Monitor, Moon, Sun } from 'lucide-react';
import { Segmented } from '../ui/segmented.tsx';
import { type ThemeChoice, useTheme } from '../ui/theme.ts';
import { Section } from './section.tsx';

const OPTIONS: ReadonlyArray<{ value: ThemeChoice; label: string; icon: React.ReactNode }> = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden size={15} /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden size={15} /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden size={15} /> },
];

export function AppearanceSection() {
  const { choice, choose } = useTheme();
  return (
    <Section title="Appearance" about="In this browser.">
      <div>
        <Segmented label="Theme" value={choice} options={OPTIONS} onChange={choose} />
      </div>
    </Section>
  );
}
