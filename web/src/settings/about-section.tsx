import { getOpenApi } from '../../../src/contract/routes/daemon.ts';
import { messageOf } from '../api/request.ts';
import { saveFrom } from '../api/save-from.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatDateTime } from '../ui/dates.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { Section } from './section.tsx';
import { useStatus } from './use-status.ts';

export function AboutSection() {
  const { data, error, isPending, refetch } = useStatus();
  return (
    <Section title="About">
      {isPending && <Skeleton what="the version" />}
      {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
      {data && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
          <Row name="Version" value={data.version} />
          {data.demo && <Row name="Agents" value="Simulated: this is the demo" />}
          <Row name="Data" value={data.dataDir} />
          <Row name="Claude Code folder" value={data.configDir} />
          <Row name="Running since" value={formatDateTime(data.startedAt)} />
          <Row name="Events" value={data.eventCount.toLocaleString()} />
          <Row
            name="Journal"
            value={`${Math.ceil(data.journalBytes / 2 ** 20)} MB (old events are removed, decisions are kept)`}
          />
          <Row name="Memory" value={`${Math.round(data.rssBytes / 2 ** 20)} MB`} />
        </dl>
      )}
      <p className="text-ink-3">
        The API is described at{' '}
        <button type="button" className="link" onClick={() => void saveDescription()}>
          {getOpenApi.path}
        </button>
        . From a terminal: <code className="code">gctl help</code>
      </p>
    </Section>
  );
}

async function saveDescription() {
  try {
    await saveFrom(getOpenApi.path, { name: 'openapi.json' });
  } catch (error) {
    toast({ tone: 'red', text: messageOf(error) });
  }
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="flex items-start gap-2">
        <span className="min-w-0 break-all">{value}</span>
        {value.startsWith('/') && <CopyButton text={value} what={name.toLowerCase()} />}
      </dd>
    </>
  );
}
