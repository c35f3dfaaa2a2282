import { resumeCommand } from '../../../src/contract/resume-command.ts';
import { toast } from '../ui/toasts.tsx';
import type { SessionFacts } from './use-session-facts.ts';

export async function copyResumeCommand(facts: Pick<SessionFacts, 'id' | 'cwd' | 'isNative'>): Promise<void> {
  try {
    await navigator.clipboard.writeText(resumeCommand(facts));
    toast({ tone: 'green', text: 'Resume command copied. Paste it into a terminal to continue this session.' });
  } catch {
    // The browser asks before allowing clipboard access, and the user may decline.
    toast({ tone: 'red', text: "The browser didn't allow copying. Select the command and copy it." });
  }
}
