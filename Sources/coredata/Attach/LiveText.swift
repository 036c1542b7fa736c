#if os(Linux)
  import CommandSupport
  import CoreDataTools
  import Foundation

  /// What a running program shows, for people.
  enum LiveText {
    // MARK: The tree

    static func tree(_ tree: LiveTree) -> String {
      let program = tree.program, counters = program.counters, memory = program.memory
      let faults = memory.faults.map { ", \(FigureText.count($0, "fault"))" } ?? ""
      let hits = FigureText.percent(Double(counters.cacheHits), of: Double(counters.faultsFired))
      var lines = [
        "\(program.program), process \(program.process)\(program.isRecording ? ", being recorded" : "")",
        "\(FigureText.count(counters.statements, "statement")), \(FigureText.count(counters.rowsRead, "row")) read, "
          + "\(FigureText.count(counters.faultsFired, "fault")) fired (\(hits) from the row cache)",
        "\(FigureText.count(memory.objects, "object"))\(faults), \(FigureText.bytes(memory.rowCacheBytes)) of rows in the "
          + "cache, \(FigureText.bytes(memory.residentBytes)) in memory",
      ]
      for waiting in program.waiting {
        let what = waiting.forMainQueue ? "the main queue" : waiting.context.map { "context \($0)" } ?? "a context"
        lines.append("thread \(waiting.thread) waits for \(what)")
      }
      for coordinator in tree.coordinators {
        lines.append("")
        let name = coordinator.name.map { " \"\($0)\"" } ?? ""
        lines.append("coordinator\(name) \(coordinator.id)\(coordinator.isLocked ? ", locked" : "")")
        for store in coordinator.stores {
          lines.append(
            "  \(store.type) \(store.place)\(store.isReadOnly ? ", read only" : ""): "
              + "\(FigureText.count(store.cachedRows, "row")) in the cache, \(FigureText.bytes(store.cacheBytes)) of "
              + FigureText.bytes(store.cacheLimit))
        }
        lines += contexts(coordinator.contexts, depth: 1)
      }
      if !tree.loose.isEmpty { lines += ["", "without a coordinator"] + contexts(tree.loose, depth: 1) }
      return lines.joined(separator: "\n")
    }

    private static func contexts(_ contexts: [LiveTree.Context], depth: Int) -> [String] {
      contexts.flatMap { [line(of: $0, depth)] + self.contexts($0.children, depth: depth + 1) }
    }

    private static func line(of context: LiveTree.Context, _ depth: Int) -> String {
      let name = context.name.map { " \"\($0)\"" } ?? ""
      var facts = [FigureText.count(context.objects, "object")]
      if let faults = context.faults { facts.append(FigureText.count(faults, "fault")) }
      if let pending = context.pending {
        facts += [(pending.inserted, "inserted"), (pending.updated, "updated"), (pending.deleted, "deleted")]
          .filter { $0.0 > 0 }.map { "\(FigureText.grouped($0.0)) \($0.1)" }
      }
      if let undo = context.undo {
        let next = undo.undo.last.flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
        facts.append("undo \(undo.undo.count)\(next), redo \(undo.redo.count)")
      }
      if let queue = context.queue {
        if queue.waitingBlocks > 0 { facts.append("\(FigureText.count(queue.waitingBlocks, "block")) waiting") }
        if !queue.waitingThreads.isEmpty {
          facts.append("\(FigureText.count(queue.waitingThreads.count, "thread")) waiting")
        }
      }
      if let busy = context.busy { facts.append(busy) }
      let indent = String(repeating: "  ", count: depth)
      return "\(indent)context\(name) \(context.id), \(context.type): \(facts.joined(separator: ", "))"
    }

    // MARK: A context

    static func changes(_ changes: LiveChanges) -> String {
      if let busy = changes.busy { return busy }
      if changes.count == 0 { return "Nothing is pending." }
      var lines = ["\(FigureText.count(changes.count, "object")) with changes"]
      for change in changes.changes {
        lines.append("\(change.kind) \(change.object)")
        for value in change.values {
          let old = value.oldIsUnknown == true ? "(not read)" : value.old ?? "nil"
          lines.append("  \(value.property): " + (change.kind == "inserted" ? "" : "\(old) -> ") + (value.new ?? "nil"))
        }
      }
      if changes.count > changes.changes.count {
        lines.append("\(FigureText.grouped(changes.count - changes.changes.count)) more; --limit shows more.")
      }
      return lines.joined(separator: "\n")
    }

    static func objects(_ objects: LiveObjectList) -> String {
      if let busy = objects.busy { return busy }
      var table = TextTable(columns: [.init("Entity"), .init("Objects", .right), .init("Faults", .right)])
      table.rows = objects.entities.map { [$0.name, FigureText.grouped($0.objects), FigureText.grouped($0.faults)] }
      let more =
        objects.count > objects.looked
        ? "\n\(FigureText.grouped(objects.looked)) of \(FigureText.grouped(objects.count)) objects were looked at." : ""
      return table.text + more
    }

    static func matches(_ matches: LiveMatches) -> String {
      if let busy = matches.busy { return busy }
      if let failure = matches.failure { return failure }
      var lines = ["It holds for \(matches.matches.count) of \(FigureText.count(matches.asked, "pending object"))."]
      lines += matches.matches
      if !matches.faults.isEmpty {
        lines.append("For \(matches.faults.count) it is not known, since a fault would fire:")
        lines += matches.faults.map { "\($0.object): \($0.wouldFire)" }
      }
      return lines.joined(separator: "\n")
    }

    // MARK: Events

    static func line(_ event: LiveEvents.Event) throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(event), as: UTF8.self)
    }

    static func event(_ event: LiveEvents.Event) -> String {
      let time = Date(timeIntervalSince1970: event.time)
        .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      if event.kind == "finding" {
        let caller = event.caller.map { "\n   by \($0)" } ?? ""
        return "\(time)  !! \(event.text ?? "")\(caller)\n   -> \(event.advice ?? "")"
      }
      let what = [event.relationship ?? event.entity, event.text].compactMap { $0 }.joined(separator: " ")
      let rows =
        event.kind == "save"
        ? "\(event.rows) inserted, \(event.updated ?? 0) updated, \(event.deleted ?? 0) deleted"
        : FigureText.count(event.rows, "row")
      return "\(time)  \(words(event.kind)) \(what)  \(rows), \(FigureText.duration(event.milliseconds / 1000)), "
        + "thread \(event.thread)" + (event.failed == true ? ", failed" : "")
    }

    private static func words(_ kind: String) -> String {
      switch kind {
      case "fetchKeys", "fetchDictionaries": "fetch"
      case "objectFault": "fault"
      case "relationshipFault": "relationship fault"
      case "batchRequest": "batch request"
      default: kind
      }
    }
  }
#endif
