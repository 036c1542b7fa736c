import CoreData
import CoreDataTools
import Foundation

/// A form of an object, compared with the object's present values.
///
/// Each field has a hidden field with the value that the field had when the page was made. So only values that the user has
/// changed are set, and an old page does not overwrite changes of another window or another program.
struct ObjectForm {
  private(set) var edit = ObjectEdit()
  /// The errors, by the name of the property or the key path of the field.
  private(set) var problems: [String: String] = [:]
  /// The typed texts, which are shown again. Fields that the user did not change show the present value.
  private(set) var typed: [String: String] = [:]
  /// The places that were typed for the members of ordered relationships, in the order of the page.
  private(set) var places: [String: [String]] = [:]
  /// Fields for which “no value” was chosen.
  private(set) var none: Set<String> = []

  private let form: Form
  private let session: EditSession

  /// - Parameter object: The object in the context that the form is tried in.
  init(_ form: Form, _ object: NSManagedObject, _ session: EditSession) {
    (self.form, self.session) = (form, session)
    for field in EditField.all(of: object.entity) {
      let value = field.value(of: object)
      switch field.kind(value) {
      case .fixed: continue
      case .file: readFile(field, value)
      case _ where field.isSecret: readSecret(field)
      case .choice: readText(field, value, distinguishesNone: false)
      default: readText(field, value, distinguishesNone: field.distinguishesNone)
      }
    }
    for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where !relationship.isTransient {
      if relationship.isToMany { readMembers(name, relationship) } else { readToOne(name, relationship, object) }
    }
  }

  /// Reads a form, and applies it to an object to find out whether the model's rules allow the changes.
  /// - Parameter object: An object in a context that is discarded.
  init(trying form: Form, on object: NSManagedObject, _ session: EditSession) {
    self.init(form, object, session)
    add(edit.apply(to: object, session))
    if problems.isEmpty { add(ValidationProblems.now(ValidationProblems.of(object), object)) }
  }

  /// Adds errors; an error that a property has already is kept.
  mutating func add(_ problems: [String: String]) { self.problems.merge(problems) { first, _ in first } }

  // MARK: Values

  private mutating func readText(_ field: EditField, _ value: Any?, distinguishesNone: Bool) {
    guard let sent = form["v:" + field.keyPath] else { return }
    let (text, was) = (FieldText.lines(sent), FieldText.lines(form["w:" + field.keyPath] ?? ""))
    let wasNone = form["wn:" + field.keyPath] != nil
    // An empty text is a value of a required string attribute.
    let isRequiredText = field.attribute.attributeType == .stringAttributeType && !field.attribute.isOptional
    var isNone = distinguishesNone ? form["n:" + field.keyPath] != nil : text.isEmpty && (!isRequiredText || wasNone)
    if distinguishesNone, isNone, !text.isEmpty, text != was {
      guard wasNone else {
        typed[field.keyPath] = text
        none.insert(field.keyPath)
        problems[field.keyPath] = "There is a text, and “no value” is chosen. Choose one of both."
        return
      }
      // “No value” was chosen before the text was typed.
      isNone = false
    }
    if isNone == wasNone, isNone || text == was { return }
    typed[field.keyPath] = text
    if isNone { none.insert(field.keyPath) }
    do {
      let new = isNone ? FieldValue.none : try FieldValue(typed: text, field.attribute)
      let now = FieldText.text(value, field.attribute)
      let sought = isNone ? nil : text
      if now == sought { return }
      if now != (wasNone ? nil : was) { return overtaken(field.keyPath, now) }
      edit.values.append((field.keyPath, new))
    } catch {
      problems[field.keyPath] = (error as? FieldMistake)?.text ?? ErrorText.text(of: error)
    }
  }

  private mutating func overtaken(_ name: String, _ now: String?) {
    problems[name] =
      "Meanwhile somebody else has set it to \(now.map { "“\($0)”" } ?? "no value"). Send the form again to replace that."
  }

  /// A secret value can be set or removed; neither the old value nor the typed text is shown.
  private mutating func readSecret(_ field: EditField) {
    if form["n:" + field.keyPath] != nil {
      edit.values.append((field.keyPath, .none))
      return
    }
    guard let text = form["v:" + field.keyPath], !text.isEmpty else { return }
    do {
      edit.values.append((field.keyPath, try FieldValue(typed: FieldText.lines(text), field.attribute)))
    } catch {
      problems[field.keyPath] = "This is no value of the attribute's type, \(field.attribute.typeName)."
    }
  }

  private mutating func readFile(_ field: EditField, _ value: Any?) {
    let file = form.file("f:" + field.keyPath)
    let isNone = form["n:" + field.keyPath] != nil
    guard file != nil || isNone else { return }
    if file != nil, isNone {
      problems[field.keyPath] =
        "A file is chosen, and “no value”, too. Choose one of both; a file has to be chosen again."
      return
    }
    if !field.isSecret, let was = form["w:" + field.keyPath] {
      let now = FieldText.text(value, field.attribute) ?? ""
      if now != was { return overtaken(field.keyPath, now.isEmpty ? nil : "other bytes") }
    }
    edit.values.append((field.keyPath, file.map(FieldValue.data) ?? .none))
  }

  // MARK: Relationships

  private mutating func readToOne(_ name: String, _ relationship: NSRelationshipDescription, _ object: NSManagedObject)
  {
    guard let sent = form["v:" + name] else { return }
    let text = sent.trimmingCharacters(in: .whitespacesAndNewlines)
    let was = form["w:" + name] ?? ""
    if text == was { return }
    typed[name] = text
    do {
      let new = text.isEmpty ? nil : try Self.reference(text, relationship)
      let now = (object.value(forKey: name) as? NSManagedObject).map { session.reference($0).description }
      if now == new?.description { return }
      if (now ?? "") != was { return overtaken(name, now) }
      edit.toOnes.append((name, new))
    } catch {
      problems[name] = (error as? FieldMistake)?.text ?? ErrorText.text(of: error)
    }
  }

  private mutating func readMembers(_ name: String, _ relationship: NSRelationshipDescription) {
    let text = form["a:" + name] ?? ""
    typed[name] = text
    do {
      let added = try text.split { $0 == "," || $0.isWhitespace }.map { try Self.reference(String($0), relationship) }
      let removed = form.all("r:" + name).compactMap(EditReference.init)
      let places = form.all("p:" + name)
      self.places[name] = places
      let order = try MemberOrder(
        name, shown: form.all("m:" + name).compactMap(EditReference.init), places: places)
      if let order { edit.orders.append(order) }
      if added.isEmpty, removed.isEmpty { return }
      edit.members.append(.init(relationship: name, added: added, removed: removed))
    } catch {
      problems[name] = (error as? FieldMistake)?.text ?? ErrorText.text(of: error)
    }
  }

  /// Parses `Person/p1`, `p1`, `1`, `new1`, or the URI of an object.
  private static func reference(_ text: String, _ relationship: NSRelationshipDescription) throws -> EditReference {
    let entity = relationship.destinationEntity?.name ?? ""
    var name = text
    if text.hasPrefix("x-coredata:"), let url = URL(string: text) {
      name = url.path.split(separator: "/").joined(separator: "/")
    } else if text.wholeMatch(of: /p?\d+/) != nil {
      name = "\(entity)/p\(text.hasPrefix("p") ? String(text.dropFirst()) : text)"
    } else if text.wholeMatch(of: /new\d+/) != nil {
      name = "\(entity)/\(text)"
    }
    guard let reference = EditReference(name) else {
      throw FieldMistake("Expected an object such as \(entity)/p1, or its URI; found “\(text.prefix(80))”.")
    }
    return reference
  }
}
