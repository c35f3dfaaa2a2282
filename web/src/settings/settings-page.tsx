import { AdminNote, ForAdmins, ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { ApprovalTimeout } from '../approvals/settings/approval-timeout.tsx';
import { AwaySwitch } from '../approvals/settings/away-switch.tsx';
import { HoldTime } from '../approvals/settings/hold-time.tsx';
import { UndoSetting } from '../approvals/settings/undo-setting.tsx';
import { StopWait } from '../control/stop-wait.tsx';
import { Page } from '../ui/page.tsx';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { BlindAnswersSection } from './blind-answers-section.tsx';
import { ChannelsSection } from './channels-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { HooksSection } from './hooks-section.tsx';
import { IndexSection } from './index-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PricesSection } from './prices-section.tsx';
import { Section } from './section.tsx';
import { StrictSection } from './strict-section.tsx';

export function SettingsPage() {
  return (
    <Page title="Settings">
      <div className="mx-auto flex max-w-[70rem] flex-col gap-4">
        <ViewerNote />
        <AdminNote />
        <ForAdmins>
          <HooksSection />
        </ForAdmins>
        <ForOperators>
          <Section title="Away" about="When you're away, background requests wait for you.">
            <AwaySwitch />
            <HoldTime />
          </Section>
          <Section title="Undo" about="Time to change your mind.">
            <UndoSetting />
          </Section>
          <Section title="Stop" about="How long to wait for a thinking agent.">
            <StopWait />
          </Section>
          <Section title="API requests" about="Programs that ask for permission through the API.">
            <ApprovalTimeout />
          </Section>
        </ForOperators>
        <NotificationsSection />
        <ForOperators>
          <ChannelsSection />
        </ForOperators>
        <ForAdmins>
          <BlindAnswersSection />
          <DevicesSection />
        </ForAdmins>
        <ForOperators>
          <PasskeysSection />
        </ForOperators>
        <ForAdmins>
          <StrictSection />
        </ForAdmins>
        {/* its list scrolls, so it must stay reachable for everyone */}
        <PricesSection />
        <IndexSection />
        <AppearanceSection />
        <AboutSection />
      </div>
    </Page>
  );
}
