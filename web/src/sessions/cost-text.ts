import type { Cost } from '../../../src/contract/usage.ts';
import { formatUsd } from '../ui/format.ts';

/** With a sign where a model without a known price took part: it is at least that much. */
export function costText({ totalUsd, unpricedModels }: Cost): string {
  return unpricedModels.length > 0 ? `${formatUsd(totalUsd)}+` : formatUsd(totalUsd);
}
