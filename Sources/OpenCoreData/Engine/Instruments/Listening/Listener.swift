#if os(Linux)
  import Dispatch
  import Foundation
  import Synchronization

  /// Answers clients that look into this program, on a thread of its own.
  ///
  /// Everything is bounded: the number of clients, the length of a line, the answers that wait to be read, and how often the
  /// program's queues are asked. The thread waits for a context for 100 ms at most, and never holds a lock of the program
  /// meanwhile.
  final class Listener: @unchecked Sendable {  // all but the constants belongs to the thread
    /// The greatest number of clients at once.
    static let clientLimit = 8
    /// The time between two questions to queues, in nanoseconds.
    private static let pause: UInt64 = 50_000_000
    /// The time after the last request for events until the program stops noting them, in nanoseconds.
    private static let feedPatience: UInt64 = 10_000_000_000

    let path: String
    private let socket: Int32
    /// Both ends of the pipe whose writing end wakes the thread up, to stop.
    private let pipe: [Int32]
    private let isOver = DispatchSemaphore(value: 0)
    private var clients: [ListenerClient] = []
    private var answers: LookAnswers
    private var nextQuestion: UInt64 = 0
    /// When events were asked for last; 0 while they are not noted.
    private var fed: UInt64 = 0
    /// The time until which no client is accepted, since the process has no descriptor left.
    private var acceptsFrom: UInt64 = 0

    init(folder: String, scope: LookScope = .all) throws {
      answers = LookAnswers(scope)
      path = "\(folder)/\(getpid()).sock"
      try LocalSocket.checkLength(of: path)
      try LocalSocket.check(folder, makes: true)
      socket = try LocalSocket.listening(at: path)
      var ends: [Int32] = [-1, -1]
      guard Foundation.pipe(&ends) == 0 else {
        close(socket)
        unlink(path)
        throw CocoaError(.fileWriteUnknown)
      }
      pipe = ends
      for descriptor in ends + [socket] { LocalSocket.prepare(descriptor) }
    }

    func start() {
      let thread = Thread { self.run() }
      thread.name = "OpenCoreData look"
      thread.start()
    }

    /// Removes the socket, so that nobody connects any more. Must be called before `stop()`, while no other listener can begin at
    /// this path: its socket would be removed.
    func removeSocket() { unlink(path) }

    /// Ends the thread and closes all connections.
    func stop() {
      _ = write(pipe[1], "s", 1)
      isOver.wait()
      for descriptor in pipe { close(descriptor) }
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private func run() {
      // The program's signals are for its own threads.
      var signals = sigset_t()
      sigfillset(&signals)
      pthread_sigmask(SIG_SETMASK, &signals, nil)
      while wait() {}
      for client in clients { close(client.descriptor) }
      close(socket)
      if fed != 0 { LiveFeed.shared.stop() }
      isOver.signal()
    }

    /// Waits for clients and serves them; false when the listener was stopped.
    private func wait() -> Bool {
      let accepts = Self.now >= acceptsFrom
      var polled = [
        pollfd(fd: pipe[0], events: Int16(POLLIN), revents: 0),
        pollfd(fd: accepts ? socket : -1, events: Int16(POLLIN), revents: 0),
      ]
      polled += clients.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
      let isIdle = clients.isEmpty && fed == 0 && accepts
      _ = poll(&polled, nfds_t(polled.count), clients.contains(where: \.hasLine) ? 0 : isIdle ? -1 : 1000)
      if polled[0].revents != 0 { return false }
      for (client, state) in zip(clients, polled[2...]) where state.revents != 0 || client.hasLine { serve(client) }
      if polled[1].revents != 0 { accept() }
      let gone = clients.filter { $0.isGone || $0.isLate }
      for client in gone { close(client.descriptor) }
      clients.removeAll { client in gone.contains { $0 === client } }
      if fed != 0, Self.now - fed > Self.feedPatience {
        LiveFeed.shared.stop()
        fed = 0
      }
      return true
    }

    private func accept() {
      for _ in 0..<16 {
        let descriptor = Foundation.accept(socket, nil, nil)
        guard descriptor >= 0 else {
          if errno == EMFILE || errno == ENFILE { acceptsFrom = Self.now + 1_000_000_000 }
          return
        }
        LocalSocket.prepare(descriptor)
        // Another user is told nothing.
        guard LocalSocket.user(of: descriptor) == geteuid() else {
          close(descriptor)
          continue
        }
        let client = ListenerClient(descriptor)
        if clients.count >= Self.clientLimit {
          client.send(answers.failure("\(Self.clientLimit) others look into the program already."), isLast: true)
          close(descriptor)
        } else {
          clients.append(client)
        }
      }
    }

    /// Answers one request of a client, so that no client keeps others from being served.
    private func serve(_ client: ListenerClient) {
      guard client.events == Int16(POLLIN) else { return client.write() }
      guard let line = client.read() else {
        if client.isTooLong {
          client.send(answers.failure("A request has at most \(ListenerClient.lineLimit) bytes."), isLast: true)
        }
        return
      }
      guard line.count <= ListenerClient.lineLimit else {
        return client.send(answers.failure("A request has at most \(ListenerClient.lineLimit) bytes."), isLast: true)
      }
      let ask = (try? JSONDecoder().decode(LookRequest.self, from: line))
      if ask?.needsQueues == true { holdBack() }
      if ask?.ask == .events {
        if fed == 0 { LiveFeed.shared.start() }
        fed = max(1, Self.now)
      }
      client.send(answers.answer(line))
      if ask?.needsQueues == true { nextQuestion = Self.now + Self.pause }
    }

    /// Waits until the program's queues may be asked again.
    private func holdBack() {
      let now = Self.now
      if now < nextQuestion { usleep(UInt32((nextQuestion - now) / 1000)) }
    }
  }
#endif
