import { t } from '../language/translate.ts';
import { ErrorText } from '../parts/error-text.tsx';
import { type Choosing, isOrderRunning, orderWords, type ShownOrder } from './choosing.ts';

/** The progress of the order, and its outcome. */
export function OrderLine({ choosing, order }: { choosing: Choosing; order: ShownOrder | null }) {
  const { trouble, isFollowed, stop } = choosing;
  const isOn = isOrderRunning(order);
  const isTold = order !== null && (isOn || isFollowed.value);
  const isWrong = isTold && order.state === 'failed';
  return (
    <>
      <ErrorText text={trouble.value || (isWrong ? orderWords(order) : '')} />
      <p class={isOn ? 'words' : 'well words'} role="status">
        {isTold && !isWrong ? orderWords(order) : ''}
      </p>
      {isOn && (
        <div class="row">
          {order.state === 'downloading' || order.state === 'verifying' ? (
            <progress value={order.bytes_done} max={order.bytes_total} aria-label={order.name} />
          ) : (
            <progress aria-label={order.name} />
          )}
          <button type="button" onClick={() => void stop()}>
            {t('Stop')}
          </button>
        </div>
      )}
    </>
  );
}
