import { Link } from '@tanstack/react-router';
import { FileDiff } from 'lucide-react';
import { pathInProject } from '../../ui/display-path.ts';
import { clip } from '../../ui/format.ts';
import { Empty } from '../../ui/states.tsx';
import { LineCounts } from '../conversation/tool-part.tsx';
import type { SessionFacts } from '../use-session-facts.ts';

const SHOWN = 1000;

export default function FilesTab({ facts }: { facts: SessionFacts }) {
  const files = facts.history?.files ?? [];
  if (files.length === 0)
    return (
      <Empty icon={FileDiff} title="No files">
        <p>This session hasn't read or changed any files.</p>
      </Empty>
    );
  return (
    <table className="data-table">
      <caption className="sr-only">Files this session touched, most edited first</caption>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col" className="text-right">
            Lines
          </th>
          <th scope="col" className="text-right">
            Edits
          </th>
          <th scope="col" className="wide-only text-right">
            Reads
          </th>
        </tr>
      </thead>
      <tbody>
        {files.slice(0, SHOWN).map((file) => (
          <tr key={file.path}>
            <td dir="ltr" className="break-all font-mono text-sm">
              <Link
                to="/sessions/$sessionId"
                params={{ sessionId: facts.id }}
                search={file.edits > 0 ? { tab: 'changes', file: file.path } : { find: file.path }}
                preload={false}
                className="row-link"
              >
                {clip(pathInProject(file.path, facts.cwd), { max: 300 })}
              </Link>
            </td>
            <td className="text-right whitespace-nowrap">
              {file.added + file.removed > 0 && <LineCounts added={file.added} removed={file.removed} />}
            </td>
            <td className="text-right tabular-nums text-ink-2">{file.edits || ''}</td>
            <td className="wide-only text-right tabular-nums text-ink-2">{file.reads || ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
