import CoreData
import CoreDataTools
import Foundation

/// A form of an object, as the page shows it.
struct EditForm: Sendable {
  struct Problem: Sendable {
    let anchor: String
    let what: String
    let words: String
    let hasAnchor: Bool
  }

  let reference: EditReference
  let heading: String
  let objectTitle: String
  let isNewForm: Bool
  let isDeleted: Bool
  let fields: [FieldContent]
  let relationships: [RelationshipContent]
  let hasRelationships: Bool
  let problems: [Problem]
  /// This property is stored, as all properties that a template shows: templates do not see computed properties.
  let hasProblems: Bool

  /// - Parameter form: The form that was sent and is refused; nil if the page is opened.
  init(_ object: NSManagedObject, _ session: EditSession, form: ObjectForm?) throws {
    let entity = object.entity
    let known = session.reference(object)
    if case .new(_, 0) = known { isNewForm = true } else { isNewForm = false }
    reference = known
    objectTitle = isNewForm ? "" : ObjectTitle.text(of: object) ?? ""
    isDeleted = object.isDeleted
    heading = isNewForm ? "New \(entity.name ?? "")" : "Edit \(known)"
    let all = EditField.all(of: entity)
    let relations = entity.relationshipsByName.filter { !$0.value.isTransient }.sorted { $0.key < $1.key }
    let names = all.map(\.keyPath) + relations.map(\.key)
    let problems = form?.problems ?? [:]
    let first = names.first { problems[$0] != nil }
    let isNew = isNewForm
    fields = all.map {
      FieldContent($0, $0.value(of: object), isNew: isNew, form: form, isFirstProblem: $0.keyPath == first)
    }
    relationships = try relations.map {
      try RelationshipContent($0.key, $0.value, of: object, session, form: form, isFirstProblem: $0.key == first)
    }
    hasRelationships = !relationships.isEmpty
    hasProblems = !problems.isEmpty
    self.problems = problems.sorted { $0.key < $1.key }.map { name, text in
      let field = names.first { $0 == name } ?? names.first { $0.hasPrefix(name + ".") || $0.hasSuffix("." + name) }
      return Problem(anchor: "field-" + (field ?? ""), what: name, words: text, hasAnchor: field != nil)
    }
  }
}
