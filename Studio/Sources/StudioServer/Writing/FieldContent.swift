import CoreData
import CoreDataTools
import Foundation

/// A field of a form, as the template shows it.
struct FieldContent: Sendable {
  struct Option: Sendable {
    let optionValue: String
    let optionTitle: String
    let isSelected: Bool
  }

  let id: String
  let keyPath: String
  let fieldType: String
  let hint: String
  let problem: String
  let fieldValue: String
  let was: String
  let wasNone: Bool
  /// Whether “no value” can be chosen, beside a field that may be empty.
  let asksForNone: Bool
  let isNone: Bool
  let isSecret: Bool
  let isRequired: Bool
  let isFirstProblem: Bool
  // One of these is true.
  let isLine: Bool
  let isArea: Bool
  let isChoice: Bool
  let isFile: Bool
  let isFixed: Bool
  let inputType: String
  let inputMode: String
  let options: [Option]
  /// A date in UTC, which the page's script shows in the reader's zone, too.
  let exactDate: String
  let hasExactDate: Bool
  let rows: Int

  let hasProblem: Bool

  init(_ field: EditField, _ value: Any?, isNew: Bool, form: ObjectForm?, isFirstProblem: Bool) {
    let attribute = field.attribute
    let kind = field.kind(value)
    let text = field.isSecret ? nil : FieldText.text(value, attribute)
    let typed = field.isSecret ? nil : form?.typed[field.keyPath]
    id = "field-" + field.keyPath
    keyPath = field.keyPath
    fieldType = attribute.typeName
    problem = form?.problems[field.keyPath] ?? ""
    hasProblem = !problem.isEmpty
    self.isFirstProblem = isFirstProblem
    isSecret = field.isSecret
    isRequired = !attribute.isOptional
    was = text ?? ""
    wasNone = text == nil && !field.isSecret
    fieldValue = kind == .file ? "" : typed ?? text ?? ""
    let isNone = typed == nil ? text == nil : form?.none.contains(field.keyPath) == true
    self.isNone = isNone && !field.isSecret
    (isArea, isFile) = (kind == .area, kind == .file)
    asksForNone =
      switch kind {
      case .area: attribute.isOptional
      case .file: attribute.isOptional && value != nil
      case .line: field.isSecret && attribute.isOptional && value != nil
      default: false
      }
    var (isLine, inputType, inputMode, reason) = (false, "text", "text", "")
    var options: [Option] = []
    switch kind {
    case .line(let type, let mode): (isLine, inputType, inputMode) = (true, type, mode)
    case .date: (isLine, inputType) = (true, "datetime-local")
    case .choice(let listed): options = Self.options(listed, typed ?? text ?? "", attribute)
    case .fixed(let text): reason = text
    case .area, .file: break
    }
    (self.isLine, self.inputType, self.inputMode, self.options) = (isLine, inputType, inputMode, options)
    isChoice = !options.isEmpty
    isFixed = !reason.isEmpty
    let shown = FieldText.shown(value, attribute) { _ in "" }
    let stored = (kind == .file || isFixed) && !field.isSecret ? "now \(shown ?? "no value")" : ""
    let secret =
      !field.isSecret
      ? ""
      : isNew
        ? "marked secret"
        : value == nil
          ? "marked secret; no value" : "marked secret; there is a value, which is kept where the field stays empty"
    let zone = kind == .date ? "in UTC" : ""
    hint = [reason, stored, secret, zone, field.isSecret ? "" : field.rules].filter { !$0.isEmpty }.joined(
      separator: "; ")
    let date = kind == .date ? (value as? Date).flatMap { ExactDate.text($0.timeIntervalSinceReferenceDate) } : nil
    (exactDate, hasExactDate) = (date ?? "", date != nil)
    rows = min(max(fieldValue.count { $0 == "\n" } + 1, fieldValue.count / 70 + 1), 12)
  }

  private static func options(_ listed: [String], _ value: String, _ attribute: NSAttributeDescription) -> [Option] {
    let titles = attribute.attributeType == .booleanAttributeType ? ["true": "yes", "false": "no"] : [:]
    // What the object has is kept, though the model does not list it.
    let all = [""] + listed + (value.isEmpty || listed.contains(value) ? [] : [value])
    return all.map {
      Option(optionValue: $0, optionTitle: $0.isEmpty ? "no value" : titles[$0] ?? $0, isSelected: $0 == value)
    }
  }
}

/// The field of a relationship.
struct RelationshipContent: Sendable {
  struct Member: Sendable {
    let memberName: String
    let memberTitle: String
    let memberLink: String
  }

  /// How many members a form shows, and how many objects it proposes.
  static let limit = 100

  let id: String
  let keyPath: String
  let fieldType: String
  let hint: String
  let problem: String
  let fieldValue: String
  let was: String
  let isMany: Bool
  let isFirstProblem: Bool
  let destination: String
  let destinationLink: String
  let candidates: [Member]
  let members: [Member]
  let hasMembers: Bool

  let hasProblem: Bool

  init(
    _ name: String, _ relationship: NSRelationshipDescription, of object: NSManagedObject, _ session: EditSession,
    form: ObjectForm?, isFirstProblem: Bool
  ) throws {
    id = "field-" + name
    keyPath = name
    isMany = relationship.isToMany
    destination = relationship.destinationEntity?.name ?? ""
    destinationLink = Link.entity(session.store, destination)
    fieldType = "\(isMany ? "to many" : "to one") \(destination)\(relationship.isOrdered ? ", ordered" : "")"
    problem = form?.problems[name] ?? ""
    hasProblem = !problem.isEmpty
    self.isFirstProblem = isFirstProblem
    func member(_ object: NSManagedObject) -> Member {
      let reference = session.reference(object).description
      return Member(
        memberName: reference, memberTitle: ObjectTitle.text(of: object) ?? "",
        memberLink: EditLink.object(session.store, reference))
    }
    var count = 0
    if isMany {
      let ids = object.objectIDs(forRelationshipNamed: name)
      count = ids.count
      members = try ids.prefix(Self.limit).compactMap { id in
        try object.managedObjectContext.map { member(try $0.existingObject(with: id)) }
      }
      was = ""
    } else {
      members = []
      was = (object.value(forKey: name) as? NSManagedObject).map { session.reference($0).description } ?? ""
    }
    hasMembers = !members.isEmpty
    fieldValue = form?.typed[name] ?? was
    let request = NSFetchRequest<NSManagedObject>(entityName: destination)
    request.fetchLimit = Self.limit / 4
    candidates = try object.managedObjectContext?.fetch(request).map(member) ?? []
    let cut = count > Self.limit ? "the first \(Self.limit) of \(count) members are shown" : ""
    let required = relationship.isOptional || isMany ? "" : "required"
    hint = [required, cut].filter { !$0.isEmpty }.joined(separator: "; ")
  }
}

/// What an object is called by its own values.
enum ObjectTitle {
  private static let usual = ["name", "title", "label", "displayName", "text"]

  /// The beginning of its name; nil where it has none that may be shown.
  static func text(of object: NSManagedObject) -> String? {
    let attributes = object.entity.attributesByName.filter {
      $0.value.attributeType == .stringAttributeType && !$0.value.isSecret && !$0.value.isTransient
    }
    let names = usual.filter { attributes[$0] != nil } + attributes.keys.sorted()
    guard let name = names.first, let text = object.value(forKey: name) as? String, !text.isEmpty else { return nil }
    return text.count > 60 ? text.prefix(60) + "…" : text
  }
}

/// Addresses of the pages that change objects.
enum EditLink {
  static func changes(_ store: String) -> String { Link.store(store) + "/changes" }

  static func edit(_ store: String, _ reference: String) -> String { Link.object(store, reference) + "/edit" }

  static func delete(_ store: String, _ reference: String) -> String { Link.object(store, reference) + "/delete" }

  /// The page of an object; of one that was never saved the form.
  static func object(_ store: String, _ reference: String) -> String {
    if case .new? = EditReference(reference) { return edit(store, reference) }
    return Link.object(store, reference)
  }
}
