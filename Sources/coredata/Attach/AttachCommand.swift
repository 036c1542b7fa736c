#if os(Linux)
  import ArgumentParser
  import CommandSupport
  import CoreDataTools
  import Foundation

  /// `coredata attach`: looks into a running program.
  struct AttachCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "attach", abstract: "Looks into a running program: contexts, pending changes, what it does.",
      discussion: """
        The program has to call CoreDataInstruments.listen(), and to run as the same user. Looking changes nothing and fires \
        no fault. A context that does not answer within 100 ms is shown as busy.

        Without a program, the one that listens is taken; where several do, they are listed. Without options there is the tree \
        of coordinators, stores and contexts. With --watch, fetches, faults, saves and statements follow as they happen, and \
        what could be done better, until the program ends or ctrl-C is pressed.

        Exits with 0, with 1 when the program cannot be looked into, with 64 for wrong arguments.
        """)

    @Argument(help: "The process ID of the program, or its socket.")
    var program: String?

    @Option(help: "A context, by its address or name: its pending changes and registered objects.")
    var context: String?

    @Option(help: "Which pending objects of the context this predicate holds for, by values in memory.")
    var predicate: String?

    @Option(help: "The entity of the objects that --predicate is for.")
    var entity: String?

    @Option(parsing: .unconditional, help: "The largest number of objects.")
    var limit: Int = 50

    @Flag(help: "Show what the program does, as it happens.")
    var watch = false

    @Option(help: "Record to this file until ctrl-C is pressed, or for the time of --seconds.")
    var record: String?

    @Option(help: "How long --watch and --record go on.")
    var seconds: Double?

    @Flag(help: "JSON; with --watch, a line for each event.")
    var json = false

    @Option(help: "The folder in which programs listen, if it is not the usual one.")
    var folder: String?

    func validate() throws {
      if limit < 0 || limit > 1000 { throw ValidationError("--limit must be from 0 to 1000.") }
      if predicate != nil, context == nil { throw ValidationError("--predicate needs a --context.") }
      if entity != nil, predicate == nil { throw ValidationError("--entity needs a --predicate.") }
      if seconds != nil, !watch, record == nil { throw ValidationError("--seconds needs --watch or --record.") }
      if let seconds, !(seconds >= 0) { throw ValidationError("--seconds must be 0 or more.") }
      if context != nil, watch || record != nil {
        throw ValidationError("--context excludes --watch and --record.")
      }
    }

    func run() throws {
      guard let program = try chosen() else { return }
      let connection = try program.connection()
      if let context { return try show(context, connection) }
      if watch || record != nil { return try follow(connection) }
      let tree = try connection.tree()
      print(json ? try JSONEncoder.tool.text(of: tree) : LiveText.tree(tree))
    }

    /// The program to look into; nil if the list of programs was printed instead.
    private func chosen() throws -> RunningProgram? {
      let folder = folder.map { ModelInput.url($0) }
      if let program { return try RunningProgram.named(program, in: folder) }
      let all = try RunningProgram.all(in: folder)
      if all.count == 1, !json || context != nil || watch || record != nil { return all[0] }
      if json {
        print(
          try JSONEncoder.tool.text(of: all.map { Listed(process: $0.process, name: $0.name, socket: $0.socket.path) }))
      } else if all.isEmpty {
        throw ToolError("No program listens. It has to call CoreDataInstruments.listen(), and to run as this user.")
      } else {
        var table = TextTable(columns: [.init("PID", .right), .init("Program"), .init("Socket")])
        table.rows = all.map { ["\($0.process)", $0.name, $0.socket.path] }
        print(table.text)
      }
      return nil
    }

    private struct Listed: Encodable {
      let process: Int
      let name, socket: String
    }

    private struct Shown: Encodable {
      var changes: LiveChanges?
      var objects: LiveObjectList?
      var matches: LiveMatches?
    }

    private func show(_ name: String, _ connection: ProgramConnection) throws {
      guard let context = try connection.tree().context(name) else {
        throw ToolError(
          "The program has no context \(name). Without --context, coredata attach shows those that it has.")
      }
      var shown = Shown()
      if let predicate {
        shown.matches = try connection.matches(predicate, in: context.id, entity: entity)
      } else {
        shown.changes = try connection.changes(of: context.id, limit: limit)
        shown.objects = try connection.objects(of: context.id, limit: limit)
      }
      if json { return print(try JSONEncoder.tool.text(of: shown)) }
      let parts = [
        shown.matches.map(LiveText.matches), shown.changes.map(LiveText.changes), shown.objects.map(LiveText.objects),
      ]
      print(parts.compactMap { $0 }.joined(separator: "\n\n"))
    }

    /// Prints events, or waits, until the time is over or ctrl-C is pressed; then ends the recording.
    private func follow(_ connection: ProgramConnection) throws {
      let stop = InterruptWatch()
      if let record { try connection.startRecording(to: ModelInput.url(record)) }
      var next = watch ? try connection.events(from: nil).next : 0
      let end = seconds.map { Date().addingTimeInterval($0) }
      do {
        while !stop.isInterrupted, end.map({ Date() < $0 }) ?? true {
          if watch { next = try printEvents(connection, from: next) }
          usleep(100_000)
        }
        if watch { _ = try printEvents(connection, from: next) }
      } catch {
        // The program's own end closes its recording.
        if record == nil || watch { throw error }
      }
      guard let record else { return }
      try connection.stopRecording()
      if !json { print(ModelInput.url(record).path) }
    }

    private func printEvents(_ connection: ProgramConnection, from first: Int) throws -> Int {
      var next = first
      // An answer has so many events at most: the next ones are asked for at once.
      for _ in 0..<20 {
        let portion = try connection.events(from: next)
        if portion.lost > 0, !json {
          print("\(FigureText.count(portion.lost, "event")) lost: too many to follow, or not asked for in time.")
        }
        for event in portion.events {
          print(json ? try LiveText.line(event) : LiveText.event(event))
        }
        next = portion.next
        if portion.events.count < 500 { break }
      }
      // All streams: whoever follows by a pipe sees events at once.
      fflush(nil)
      return next
    }
  }
#endif
