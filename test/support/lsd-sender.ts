// A program for a namespace of its own: sends one announcement from the address of its first argument, through the
// interface that has that of its second, with info hash and port as the others.
import { createSocket } from 'node:dgram';

const [, , from = '', via = '', hash = '', port = ''] = process.argv;
const text = `BT-SEARCH * HTTP/1.1\r\nHost: 239.192.152.143:6771\r\nPort: ${port}\r\nInfohash: ${hash}\r\n\r\n\r\n`;
const socket = createSocket('udp4');
socket.bind(0, from, () => {
  socket.setMulticastInterface(via);
  socket.send(text, 6771, '239.192.152.143', (error) => {
    socket.close();
    if (error) throw error;
  });
});
