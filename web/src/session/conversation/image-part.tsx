import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import type { Image } from '../../../../src/contract/messages.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { imagePath, useConversationContext } from './conversation-context.ts';
import { useImage } from './use-image.ts';

export function ImagePart({ image }: { image: Image }) {
  const [open, setOpen] = useState(false);
  const { src, broken, setBroken } = useImage(imagePath(useConversationContext(), image.imageId));
  if (broken)
    return (
      <p className="flex items-center gap-2 text-ink-3">
        <ImageOff aria-hidden size={15} /> This image can't be shown
      </p>
    );
  return (
    <>
      <button type="button" className="image-button" aria-label="Open the image" onClick={() => setOpen(true)}>
        {src && <img src={src} alt="" onError={setBroken} />}
      </button>
      {open && (
        <Dialog title="Image" onClose={() => setOpen(false)}>
          <img src={src} alt="From the conversation" className="mx-auto max-h-[36rem] max-w-full" />
        </Dialog>
      )}
    </>
  );
}
