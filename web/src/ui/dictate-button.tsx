import { Mic, MicOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toast } from './toasts.tsx';

interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
}
interface RecognitionResults extends Event {
  resultIndex: number;
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>;
}
type RecognitionClass = new () => Recognition;

const WHY: Record<string, string> = {
  'not-allowed': 'Your browser blocks the microphone for this page. Allow it in the site settings next to the address.',
  'service-not-allowed': "Your browser doesn't allow speech recognition here.",
  network: "Your browser couldn't reach its speech service.",
  'audio-capture': 'No microphone was found.',
};

function findRecognition(): RecognitionClass | undefined {
  const scope = window as unknown as Record<string, RecognitionClass | undefined>;
  return scope.SpeechRecognition ?? scope.webkitSpeechRecognition;
}

/** Appends spoken words to a text. Hidden if the browser doesn't support speech recognition. */
export function DictateButton({ onText }: { onText: (words: string) => void }) {
  const [listening, setListening] = useState<Recognition | null>(null);
  const latest = useRef(onText);
  latest.current = onText;
  useEffect(() => () => listening?.stop(), [listening]);
  const Recognizer = findRecognition();
  if (!Recognizer) return null;

  function start(Kind: RecognitionClass): void {
    const recognition = new Kind();
    recognition.lang = navigator.language;
    recognition.continuous = true;
    recognition.interimResults = false;
    recognition.addEventListener('result', (event) => {
      const { resultIndex, results } = event as RecognitionResults;
      const said = Array.from(results).slice(resultIndex);
      const words = said.filter(({ isFinal }) => isFinal).map((one) => one[0]?.transcript.trim() ?? '');
      if (words.length > 0) latest.current(words.join(' '));
    });
    recognition.addEventListener('error', (event) => {
      const { error } = event as Event & { error: string };
      // no speech, or recognition was stopped
      if (error === 'no-speech' || error === 'aborted') return;
      toast({ tone: 'red', text: WHY[error] ?? `Dictation stopped: ${error}` });
    });
    recognition.addEventListener('end', () => setListening(null));
    recognition.start();
    setListening(recognition);
  }

  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Dictate"
      aria-pressed={listening !== null}
      title="Dictate with your browser's speech service"
      onClick={() => (listening ? listening.stop() : start(Recognizer))}
    >
      {listening ? <MicOff aria-hidden size={16} /> : <Mic aria-hidden size={16} />}
    </button>
  );
}
