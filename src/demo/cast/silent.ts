import { bash, todos } from '../tool-calls.ts';
import { type Part, SONNET } from './part.ts';

/** Has been silent for a quarter of an hour: a download that may hang. */
export const silent: Part = {
  project: 'tidepool-ml',
  model: SONNET,
  startedAgo: 35,
  context: 33_000,
  async play(session) {
    const { main } = session;
    await session.prompt('Fetch the tide gauge archive, resample it to ten minutes and rebuild the feature store.');
    await main.pause(4);
    await main.use(todos(['Fetch the archive', 'Resample to ten minutes', 'Rebuild the feature store'], 0));
    await main.use(
      bash('df -h data | tail -1', '/dev/nvme0n1p2  931G  402G  529G  44% /data', { description: 'Check free space' }),
    );
    await main.untilAgo(14.2);
    await main.use(
      bash('aria2c -x4 -c -d data/raw "$GAUGE_MIRROR/archive-2019-2026.tar.zst"', '(OK):download completed.', {
        description: 'Fetch 38 GB of tide gauges',
      }),
      { lasts: 'forever', say: "There's room. The archive is 38 GB, and the download resumes if it breaks." },
    );
    await main.use(todos(['Fetch the archive', 'Resample to ten minutes', 'Rebuild the feature store'], 1));
    await main.use(
      bash('python -m tidepool.resample --every 10min', '812 gauges, 311 million rows', { description: 'Resample' }),
      { lasts: 50 },
    );
    await session.finish(
      'The archive is downloaded and resampled: 812 gauges, 311 million rows. The feature store is rebuilding in `tmux` window 3.',
    );
  },
};
