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
  /// Whether the field offers “no value” as a choice of its own.
  let asksForNone: Bool
  let isNone: Bool
  let isSecret: Bool
  let isRequired: Bool
  let isFirstProblem: Bool
  // The kind of field: exactly one of these is true.
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
    // The object's present value is offered even if the model does not list it.
    let all = [""] + listed + (value.isEmpty || listed.contains(value) ? [] : [value])
    return all.map {
      Option(optionValue: $0, optionTitle: $0.isEmpty ? "no value" : titles[$0] ?? $0, isSelected: $0 == value)
    }
  }
}
