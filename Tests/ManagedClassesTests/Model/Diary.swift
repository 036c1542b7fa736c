import CoreData

/// Notes its life-cycle calls.
class Diary: NSManagedObject {
  var calls: [String] = []
  var isWritingOnSave = false
  var seenInDidSave = ""
  @NSManaged var text: String?
  @NSManaged var modified: Date?
  @NSManaged var saves: Int32
  @NSManaged var code: String
  @NSManaged var next: Diary?
  @NSManaged var previous: Diary?

  required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
    calls.append("init")
    code = "from init"
  }

  override func awakeFromInsert() {
    super.awakeFromInsert()
    calls.append("awakeFromInsert")
    setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "modified")
  }

  override func awakeFromFetch() {
    super.awakeFromFetch()
    calls.append("awakeFromFetch")
    saves = 1000 + saves
  }

  override func willSave() {
    super.willSave()
    calls.append("willSave")
    if isDeleted { return }
    setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 5), forKey: "modified")
    if isWritingOnSave {
      isWritingOnSave = false
      saves += 1
    }
  }

  override func didSave() {
    super.didSave()
    calls.append("didSave")
    seenInDidSave = "\(isDeleted) \(isInserted) \(hasChanges)"
  }

  override func prepareForDeletion() {
    super.prepareForDeletion()
    calls.append("prepareForDeletion")
  }

  override func willTurnIntoFault() {
    super.willTurnIntoFault()
    calls.append("willTurnIntoFault \(text ?? "nil")")
  }

  override func didTurnIntoFault() {
    super.didTurnIntoFault()
    calls.append("didTurnIntoFault \(isFault)")
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if text == "invalid" { throw NSError(domain: "Diary", code: 42) }
  }

  override func validateValue(_ value: Any?, forKey key: String) throws {
    if key == "text", value as? String == "rude" { throw NSError(domain: "Diary", code: 43) }
    try super.validateValue(value, forKey: key)
  }

  func validateCode(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    if value.pointee as? String == "wrong" { throw NSError(domain: "Diary", code: 44) }
  }
}
