import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The port of the discard service, where Wake-on-LAN packets usually go. */
const usualPort = 9;
const copies = 16;

/** The network card of a sleeping machine, and the way to it. */
export interface WakeAddress {
  /** Like `aa:bb:cc:dd:ee:ff`. */
  mac: string;
  /** The broadcast address of its network, and perhaps a port. */
  address: string;
}

/** Sends one Wake-on-LAN packet: six times FF, then the card's address 16 times. */
export async function sendMagicPacket({ mac, address }: WakeAddress): Promise<void> {
  const card = Buffer.from(mac.replaceAll(/[:-]/g, ''), 'hex');
  const packet = Buffer.concat([Buffer.alloc(6, 0xff), ...Array.from({ length: copies }, () => card)]);
  const [host, port = usualPort] = address.split(':');
  const socket = createSocket('udp4');
  try {
    socket.bind(0);
    await once(socket, 'listening');
    socket.setBroadcast(true);
    await new Promise<void>((sent, failed) =>
      socket.send(packet, Number(port), host, (error) => (error ? failed(error) : sent())),
    );
  } finally {
    socket.close();
  }
}
