import { SignInPage } from './access/sign-in-page.tsx';
import { BoardPage } from './board/board-page.tsx';
import { useLive, usePhase } from './live/live.ts';

export function App() {
  const { connection } = useLive();
  return usePhase().name === 'signed_out' ? <SignInPage onSignedIn={connection.start} /> : <BoardPage />;
}
