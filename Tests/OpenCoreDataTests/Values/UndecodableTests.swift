import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Bytes that nobody here can make an object of stay in the store, and say why.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct UndecodableTests {
  /// A shape whose column was written by somebody else.
  private func shape(_ column: String, _ bytes: Data) throws -> StoreFile {
    let file = try StoreFile(.sqlite, ValuesModel.shapes())
    try file.opened { context in
      _ = context.make("Shape", ["name": "A"])
      try context.save()
    }
    let text = bytes.map { String(format: "%02X", $0) }.joined()
    try Shell.sql(file.url, "UPDATE ZSHAPE SET \(column) = x'\(text)'")
    return file
  }

  /// An archive of one object of a class.
  private static func archive(_ className: String, _ fields: [String: PropertyListValue] = [:]) -> Data {
    var writer = KeyedArchiveWriter()
    let root = writer.add([className, "NSObject"], fields)
    return writer.serialized(root: root)
  }

  /// An array that contains itself.
  private static var cycle: Data {
    var writer = KeyedArchiveWriter()
    let root = writer.reserve()
    writer.add(["NSArray", "NSObject"], ["NS.objects": .array([root])], as: root)
    return writer.serialized(root: root)
  }

  private static let cases: [(key: String, bytes: Data, code: Int, text: String)] = [
    ("tags", archive("UIColor"), 4864, "UIColor"),
    ("anything", archive("UIColor"), 4864, "UIColor"),
    ("tags", archive("NSPredicate"), 4864, "NSPredicate"),
    ("tags", cycle, 4864, "contains itself"),
    ("tags", Data("bplist00 and no more".utf8), 4864, "tags"),
    ("tags", Data(), 4864, "tags"),
    ("colour", Data([1, 2]), NSCoreDataError, "ColourTransformer"),
    ("missing", Data([1, 2, 3]), NSCoreDataError, "No such transformer"),
  ]

  @Test(arguments: cases.indices) func theBytesStayAndTheReasonIsTold(number: Int) throws {
    let (key, bytes, code, text) = Self.cases[number]
    let column = "Z\(key.uppercased())"
    let file = try shape(column, bytes)
    let before = try Shell.sql(file.url, "SELECT hex(\(column)), typeof(\(column)) FROM ZSHAPE")
    try file.opened { context in
      let shape = try #require(try context.all("Shape").first)
      #expect(shape.value(forKey: key) == nil)
      let error = #expect(throws: NSError.self) { try shape.transformedValue(forKey: key) }
      #expect(error?.code == code && error?.domain == NSCocoaErrorDomain)
      #expect(error?.userInfo["entity"] as? String == "Shape" && error?.userInfo["attribute"] as? String == key)
      let description = error?.localizedDescription ?? ""
      #expect(
        description.contains(text) && description.contains(key) && description.contains("Shape"), "\(description)")
      #expect(!shape.hasChanges && shape.changedValues().isEmpty && !shape.description.isEmpty)
      shape.setValue("B", forKey: "name")
      #expect(Array(shape.changedValues().keys) == ["name"])
      try context.save()
      #expect(throws: NSError.self) { try shape.transformedValue(forKey: key) }
    }
    #expect(try Shell.sql(file.url, "SELECT hex(\(column)), typeof(\(column)) FROM ZSHAPE") == before)
    #expect(try Shell.sql(file.url, "SELECT ZNAME FROM ZSHAPE") == ["B"])
  }

  @Test func aMandatoryValueThatCannotBeDecodedIsThere() throws {
    let model = ValuesModel.shapes()
    model.entitiesByName["Shape"]?.attributesByName["tags"]?.isOptional = false
    let file = try StoreFile(.sqlite, model)
    try file.opened { context in
      _ = context.make("Shape", ["name": "A", "tags": ["t"]])
      try context.save()
    }
    let text = Self.archive("UIColor").map { String(format: "%02X", $0) }.joined()
    try Shell.sql(file.url, "UPDATE ZSHAPE SET ZTAGS = x'\(text)'")
    try file.opened { context in
      let shape = try #require(try context.all("Shape").first)
      shape.setValue("B", forKey: "name")
      try shape.validateForUpdate()
      try context.save()
      shape.setValue(nil, forKey: "tags")
      #expect(throws: NSError.self) { try context.save() }
      context.rollback()
      shape.setValue(["new"], forKey: "tags")
      try context.save()
      #expect(shape.value(forKey: "tags") as? [String] == ["new"])
    }
  }

  @Test func theLogSaysItOnceForAnAttribute() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let tests = UndecodableTests()
      let file = try tests.shape("ZTAGS", UndecodableTests.archive("UIColor"))
      try file.opened { context in
        let shape = try #require(try context.all("Shape").first)
        for _ in 0..<3 { #expect(shape.value(forKey: "tags") == nil) }
        context.refreshAllObjects()
        #expect(shape.value(forKey: "tags") == nil)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("cannot be decoded") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("class UIColor of the transformable attribute tags of Shape") ?? false, "\(text)")
    #expect(lines.first?.contains("x-coredata://") ?? false)
  }
}
