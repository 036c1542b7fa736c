import CommandSupport
import CoreDataTools

/// A context of a running program, as values for its page.
struct RunningContext {
  private let context: LiveTree.Context
  private let changes: LiveChanges
  private let objects: LiveObjectList

  init(_ context: LiveTree.Context, _ changes: LiveChanges, _ objects: LiveObjectList) {
    (self.context, self.changes, self.objects) = (context, changes, objects)
  }

  var content: [String: Any] {
    let busy = [changes.busy ?? objects.busy].compactMap { $0 }
    let steps = (context.undo?.undo ?? []).reversed().map { $0.isEmpty ? "a step without a name" : $0 }
    return [
      "contextName": context.name ?? "Context \(context.id)", "type": context.type, "busy": busy,
      "isBusy": !busy.isEmpty,
      "changes": changes.changes.map(Self.change), "isCalm": changes.count == 0 && busy.isEmpty,
      "changeCount": FigureText.count(changes.count, "object"), "isCut": changes.count > changes.changes.count,
      "shown": FigureText.grouped(changes.changes.count),
      "entities": objects.entities.map {
        [
          "name": $0.name, "objects": FigureText.grouped($0.objects), "faults": FigureText.grouped($0.faults),
        ]
      },
      "hasObjects": !objects.entities.isEmpty,
      "objects": objects.objects.map { ["object": $0.object, "isFault": $0.isFault, "change": $0.change ?? ""] },
      "objectNote": "\(FigureText.grouped(objects.objects.count)) of \(FigureText.count(objects.count, "object"))",
      "undo": Array(steps), "hasUndo": !steps.isEmpty, "mistake": [],
    ]
  }

  private static func change(_ change: LiveChanges.Change) -> [String: Any] {
    let badge = ["inserted": "insert", "deleted": "delete"][change.kind] ?? "warn"
    return [
      "object": change.object, "kind": change.kind, "badge": badge, "hasValues": !change.values.isEmpty,
      "values": change.values.map { value -> [String: Any] in
        [
          "property": value.property, "hasOld": change.kind != "inserted",
          "old": value.oldIsUnknown == true ? "not read" : value.old ?? "none",
          "isOldNone": value.oldIsUnknown == true || value.old == nil,
          "new": value.new ?? "none", "isNewNone": value.new == nil,
        ]
      },
    ]
  }

  /// The answer to a predicate.
  static func content(_ matches: LiveMatches) -> [String: Any] {
    [
      "busy": [matches.busy].compactMap { $0 }, "failure": [matches.failure].compactMap { $0 },
      "isAnswered": matches.busy == nil && matches.failure == nil,
      "summary": "It holds for \(matches.matches.count) of \(FigureText.count(matches.asked, "pending object")).",
      "matches": matches.matches, "hasFaults": !matches.faults.isEmpty,
      "faults": matches.faults.map { ["object": $0.object, "wouldFire": $0.wouldFire] },
    ]
  }
}
