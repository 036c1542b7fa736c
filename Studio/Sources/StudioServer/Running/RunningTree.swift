import CommandSupport
import CoreDataTools
import Foundation

/// The tree of a running program as HTML: coordinators, their stores, and contexts below their parents.
struct RunningTree {
  private let tree: LiveTree
  private let link: String

  init(_ tree: LiveTree, link: String) { (self.tree, self.link) = (tree, link) }

  /// The figures of the program as a whole.
  static func tiles(_ tree: LiveTree) -> [[String: String]] {
    let (counters, memory) = (tree.program.counters, tree.program.memory)
    func tile(_ title: String, _ figure: String, _ note: String) -> [String: String] {
      ["title": title, "figure": figure, "note": note]
    }
    return [
      tile("Statements", FigureText.grouped(counters.statements), "\(FigureText.grouped(counters.rowsRead)) rows read"),
      tile(
        "Faults fired", FigureText.grouped(counters.faultsFired),
        "\(FigureText.percent(Double(counters.cacheHits), of: Double(counters.faultsFired))) from the row cache"),
      tile(
        "Registered objects", FigureText.grouped(memory.objects),
        memory.faults.map { FigureText.count($0, "fault") } ?? "too many to count faults"),
      tile("Row caches", FigureText.bytes(memory.rowCacheBytes), "of all stores"),
      tile("Memory", FigureText.bytes(memory.residentBytes), "at most \(FigureText.bytes(memory.peakResidentBytes))"),
    ]
  }

  var html: String {
    var text = HTMLText()
    text.markup("<ul class=\"tree\">")
    for coordinator in tree.coordinators {
      text.markup("<li><div class=\"node coordinator\"><strong>Coordinator")
      if let name = coordinator.name { text.escaped(" \(name)") }
      text.markup("</strong>")
      if coordinator.isLocked { text.markup(" <span class=\"badge warn\">locked</span>") }
      text.markup("</div><ul>")
      for store in coordinator.stores { add(store, to: &text) }
      for context in coordinator.contexts { add(context, to: &text) }
      text.markup("</ul></li>")
    }
    if !tree.loose.isEmpty {
      text.markup("<li><div class=\"node\"><strong>Without a coordinator</strong></div><ul>")
      for context in tree.loose { add(context, to: &text) }
      text.markup("</ul></li>")
    }
    text.markup("</ul>")
    return text.html
  }

  private func add(_ store: LiveTree.Store, to text: inout HTMLText) {
    text.markup("<li><div class=\"node store\"><strong>")
    text.escaped("\(store.type) store")
    text.markup("</strong>")
    if store.isReadOnly { text.markup(" <span class=\"badge\">read only</span>") }
    text.markup("<span class=\"place\">")
    text.escaped(store.place)
    text.markup("</span>")
    let share = store.cacheLimit > 0 ? Double(store.cacheBytes) / Double(store.cacheLimit) : 0
    add(share: share, "cache", to: &text)
    text.escaped(
      "\(FigureText.count(store.cachedRows, "row")) in the cache, \(FigureText.bytes(store.cacheBytes)) of "
        + FigureText.bytes(store.cacheLimit))
    text.markup("</div></li>")
  }

  private func add(_ context: LiveTree.Context, to text: inout HTMLText) {
    text.markup("<li><div class=\"node context\"><a href=\"")
    text.escaped(link + "/contexts/" + Link.escaped(context.id))
    text.markup("\"><strong>")
    text.escaped(context.name ?? "Context \(context.id)")
    text.markup("</strong></a> <span class=\"badge\">")
    text.escaped(context.type)
    text.markup("</span>")
    if let busy = context.busy {
      text.markup(" <span class=\"badge warn\">")
      text.escaped(busy)
      text.markup("</span>")
    }
    if let pending = context.pending {
      for (count, word, badge) in [
        (pending.inserted, "inserted", "insert"), (pending.updated, "updated", "warn"),
        (pending.deleted, "deleted", "delete"),
      ] where count > 0 {
        text.markup(" <span class=\"badge \(badge)\">\(FigureText.grouped(count)) \(word)</span>")
      }
    }
    text.markup("<br>")
    if let faults = context.faults, context.objects > 0 {
      add(share: 1 - Double(faults) / Double(context.objects), "objects", to: &text)
    }
    text.escaped(Self.facts(context).joined(separator: ", "))
    text.markup("</div>")
    if !context.children.isEmpty {
      text.markup("<ul>")
      for child in context.children { add(child, to: &text) }
      text.markup("</ul>")
    }
    text.markup("</li>")
  }

  private static func facts(_ context: LiveTree.Context) -> [String] {
    var facts = [FigureText.count(context.objects, "object")]
    if let faults = context.faults { facts.append("\(FigureText.grouped(faults)) of them faults") }
    if let undo = context.undo, !undo.undo.isEmpty || !undo.redo.isEmpty {
      facts.append("\(FigureText.count(undo.undo.count, "step")) to undo, \(undo.redo.count) to redo")
    }
    if let queue = context.queue {
      if queue.waitingBlocks > 0 { facts.append("\(FigureText.count(queue.waitingBlocks, "block")) waiting") }
      if !queue.waitingThreads.isEmpty {
        facts.append("\(FigureText.count(queue.waitingThreads.count, "thread")) waiting")
      }
    }
    return facts
  }

  /// A bar; the words beside it say the same.
  private func add(share: Double, _ kind: String, to text: inout HTMLText) {
    let percent = Int((min(max(share, 0), 1) * 100).rounded())
    text.markup("<span class=\"mix \(kind)\" aria-hidden=\"true\"><span style=\"width:\(percent)%\"></span></span> ")
  }
}
