import type { Cost } from '../../../src/contract/usage.ts';
import { formatUsd } from '../ui/format.ts';

/** With a plus if a model without a price was used: the cost is at least that much. */
export function costText({ totalUsd, unpricedModels }: Cost): string {
  return unpricedModels.length > 0 ? `${formatUsd(totalUsd)}+` : formatUsd(totalUsd);
}
