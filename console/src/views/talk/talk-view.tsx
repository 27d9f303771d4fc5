import '../../style/talk.css';
import { useSignal } from '@preact/signals';
import type { House } from '../../house.ts';
import { hashOf } from '../../route.ts';
import { Announcer } from './announcer.tsx';
import { Conversation } from './conversation.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HoldButton } from './hold-button.tsx';
import { Timers } from './timers.tsx';
import { Trouble } from './trouble.tsx';
import { TypeLine } from './type-line.tsx';
import { WhoAndWhere } from './who-and-where.tsx';

/** Talk to the house and read along. */
export function TalkView({ house }: { house: House }) {
  const { talk, keeper } = house;
  const { name, room, isChosen } = keeper.device.value;
  const isChoosing = useSignal(!isChosen);
  const isBeginning = useSignal(false);

  return (
    <div class="talk">
      <Timers house={house} />
      <Conversation talk={talk}>
        <div class="row spread talk-top">
          <h1>Talk</h1>
          <a class="small" href={hashOf('talk', 'sentences')}>
            What can I say?
          </a>
          <button class="plain small" type="button" onClick={() => (isChoosing.value = !isChoosing.value)}>
            {room === '' ? name : `${name}, ${room}`}
            <span class="visually-hidden">: change the name and the room</span>
          </button>
        </div>
        {isChoosing.value && (
          <WhoAndWhere
            name={name}
            room={room}
            onChoice={(choice) => {
              isBeginning.value = !isChosen;
              talk.rename(choice);
              isChoosing.value = false;
            }}
          />
        )}
        {isBeginning.value && <FirstSteps house={house} onDone={() => (isBeginning.value = false)} />}
      </Conversation>
      <Trouble talk={talk} />
      <div class="talk-controls">
        <HoldButton talk={talk} device={keeper.device} />
        <TypeLine talk={talk} keeper={keeper} />
      </div>
      <Announcer exchanges={talk.exchanges} />
    </div>
  );
}
