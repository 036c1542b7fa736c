import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Property lists, keyed archives and model caches, whole and damaged.
@Suite struct ArchiveTests {
  private let list: PropertyListValue = .dictionary([
    "numbers": .array([0, 255, 256, 65536, -1, .max, .min].map(PropertyListValue.integer)),
    "text": .array([.string("plain"), .string("Überraschung 🎈"), .string(String(repeating: "x", count: 300))]),
    "other": .array([.bool(true), .bool(false), .real(1.5), .date(-3), .data(Data([1, 2])), .uid(7), .uid(70000)]),
    "empty": .array([.dictionary([:]), .array([]), .string("")]),
  ])

  @Test func propertyListsRoundTrip() throws {
    #expect(try BinaryPropertyListReader.read(BinaryPropertyListWriter.write(list)) == list)
  }

  @Test func foundationReadsWhatWeWrite() throws {
    let value: PropertyListValue = .dictionary(["a": .array([.integer(300), .string("é"), .bool(true), .real(2.5)])])
    let read = try PropertyListSerialization.propertyList(from: BinaryPropertyListWriter.write(value), format: nil)
    let array = try #require((read as? [String: [Any]])?["a"])
    #expect(array[0] as? Int == 300 && array[1] as? String == "é" && array[2] as? Bool == true)
    #expect(array[3] as? Double == 2.5)
  }

  @Test func foundationReadsItsOwnValues() throws {
    let values: [String: Any] = [
      "text": "é\u{301}", "number": NSNumber(value: -7), "large": Int.max, "real": 0.1,
      "float": NSNumber(value: Float(1.5)),
      "data": Data([0, 255]), "date": Date(timeIntervalSinceReferenceDate: 1.25),
      "list": ["a", 1, ["b": Data()]] as [Any],
      "none": [String: Any](),
    ]
    let value = try #require(PropertyListValue(foundationValue: values))
    let read = try PropertyListSerialization.propertyList(from: BinaryPropertyListWriter.write(value), format: nil)
    let found = try #require(read as? [String: Any])
    #expect(Set(found.keys) == Set(values.keys) && (found["text"] as? String).map { Array($0.utf8).count } == 4)
    #expect(found["number"] as? Int == -7 && found["large"] as? Int == .max)
    #expect(found["real"] as? Double == 0.1 && found["float"] as? Double == 1.5)
    #expect(found["data"] as? Data == Data([0, 255]))
    #expect(found["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1.25))
    let list = try #require(found["list"] as? [Any])
    #expect(list.count == 3 && list[0] as? String == "a" && list[1] as? Int == 1)
    #expect((list[2] as? [String: Any])?["b"] as? Data == Data() && (found["none"] as? [String: Any])?.isEmpty == true)
  }

  /// These are left to Foundation, which tells truth values from numbers and says what is no property list.
  @Test func otherValuesAreLeftToFoundation() {
    for value: Any in [
      true, NSNumber(value: true), Set(["a"]), NSDictionary(), NSSet(), [1: "a"], URL(fileURLWithPath: "/"),
    ] {
      #expect(PropertyListValue(foundationValue: ["a": value]) == nil, "\(value)")
    }
  }

  /// Strings that are equal and have other bytes stay two.
  @Test func equalStringsOfOtherBytes() throws {
    let list: PropertyListValue = .array([
      .string("e\u{301}"), .string("\u{e9}"), .integer(1), .real(1), .uid(1), .bool(true),
    ])
    let read = try #require(try BinaryPropertyListReader.read(BinaryPropertyListWriter.write(list)).arrayValue)
    #expect(read.map { $0.stringValue.map { Array($0.utf8).count } } == [3, 2, nil, nil, nil, nil])
    #expect(Array(read[2...]) == [.integer(1), .real(1), .uid(1), .bool(true)])
  }

  /// The writer takes the order of a dictionary's keys from another one with equal keys. The sign for kelvin equals the letter K.
  @Test func dictionariesOfEqualKeysKeepTheirBytes() throws {
    let plain: [String: PropertyListValue] = ["K": .integer(1), "a": .string("x"), "L": .array([])]
    let signed: [String: PropertyListValue] = ["\u{212A}": .integer(2), "a": .string("y"), "L": .array([])]
    let other: [String: PropertyListValue] = ["M": .integer(3), "a": .string("z"), "L": .array([])]
    #expect(Set(plain.keys) == Set(signed.keys))
    let all = PropertyListValue.array([plain, signed, plain, other, signed].map(PropertyListValue.dictionary))
    let data = BinaryPropertyListWriter.write(all)
    let read = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [[String: Any]])
    #expect(read.map { $0.values.compactMap { $0 as? Int }.first } == [1, 2, 1, 3, 2])
    #expect(
      read.map { $0.keys.map { Array($0.unicodeScalars) }.contains(["\u{212A}"]) } == [false, true, false, false, true])
    #expect(read.map { $0["a"] as? String } == ["x", "y", "x", "z", "y"])
  }

  @Test(arguments: ["0", "12.5", "-0.001", "99999999999999999999999999999999999999", "1e-20", "-65536"])
  func decimalNumbers(text: String) throws {
    let attribute = NSAttributeDescription()
    attribute.name = "x"
    attribute.attributeType = .decimalAttributeType
    attribute.defaultValue = NSDecimalNumber(string: text)
    let read = try roundTrip(attribute)
    #expect(read.defaultValue as? NSDecimalNumber == NSDecimalNumber(string: text))
  }

  @Test func otherDefaultValues() throws {
    let uuid = UUID()
    let values: [(NSAttributeType, Any)] = [
      (.UUIDAttributeType, uuid), (.dateAttributeType, Date(timeIntervalSinceReferenceDate: 1.25)),
      (.binaryDataAttributeType, Data([0, 9])), (.stringAttributeType, "$null"), (.doubleAttributeType, 0.1),
      (.integer64AttributeType, Int64.min), (.booleanAttributeType, false),
      (.URIAttributeType, URL(fileURLWithPath: "/tmp/a b")),
    ]
    for (type, value) in values {
      let attribute = NSAttributeDescription()
      attribute.name = "x"
      attribute.attributeType = type
      attribute.defaultValue = value
      #expect(try roundTrip(attribute) == attribute.entity.propertiesByName["x"], "\(value)")
    }
  }

  private let keeper = Keeper()
  private final class Keeper { var models: [NSManagedObjectModel] = [] }

  private func roundTrip(_ attribute: NSAttributeDescription) throws -> NSAttributeDescription {
    let entity = NSEntityDescription()
    entity.name = "E"
    entity.properties = [attribute]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let decoded = try ModelCache.decode(ModelCache.encode(model))
    keeper.models += [model, decoded]
    return try #require(decoded.entitiesByName["E"]?.attributesByName["x"])
  }

  /// Nothing but errors comes of damaged bytes: no trap, no endless loop.
  @Test func damagedArchivesAreRefused() throws {
    var random = SeededGenerator(for: "Damaged archives")
    let fixture = try NSManagedObjectModel(validatingContentsOf: #require(SourceModelTests.fixture))
    let everything = EverythingModel.make()
    let archives = try [
      ModelEncoder.encode(fixture, as: .cache), ModelEncoder.encode(everything, as: .compiled),
      ModelEncoder.encode(everything, as: .cache),
    ]
    var refused = 0
    for round in 0..<400 * Soak.factor {
      var bytes = [UInt8](archives[round % archives.count])
      for _ in 0..<(1 + round % 4) {
        // Every other round aims at the offset table and the trailer, where the numbers are.
        let from = round % 2 == 0 ? 0 : bytes.count - 600
        bytes[Int.random(in: from..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 5 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
      refused += try isRefused(Data(bytes)) ? 1 : 0
    }
    #expect(refused > 0)
    let archive = archives[0]
    for length in 0..<64 { #expect(throws: ArchiveProblem.self) { try KeyedArchive(Data(archive.prefix(length))) } }
    #expect(throws: NSError.self) { try ModelCache.decode(Data([1, 2, 3])) }
    #expect(throws: NSError.self) { try ModelCache.decode(Data()) }
  }

  /// Objects that refer to others than they should: the property list is whole, the model is not.
  @Test func archivesOfOtherContentsAreRefused() throws {
    var random = SeededGenerator(for: "Changed archives")
    let data = try ModelEncoder.encode(EverythingModel.make(), as: .compiled)
    let top = try #require(try BinaryPropertyListReader.read(data).dictionaryValue)
    let objects = try #require(top["$objects"]?.arrayValue)
    for _ in 0..<60 * Soak.factor {
      var changed = objects
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 1..<objects.count, using: &random)
        guard case .dictionary(var fields) = changed[place],
          let key = fields.keys.sorted().randomElement(using: &random)
        else {
          changed[place] = objects[Int.random(in: 0..<objects.count, using: &random)]
          continue
        }
        fields[key] = .uid(Int.random(in: 0...objects.count, using: &random))
        changed[place] = .dictionary(fields)
      }
      var list = top
      list["$objects"] = .array(changed)
      _ = try isRefused(BinaryPropertyListWriter.write(.dictionary(list)))
    }
  }

  /// Whether decoding fails. Whatever is decoded can be hashed, frozen and archived again.
  private func isRefused(_ data: Data) throws -> Bool {
    let model = NSManagedObjectModel()
    do {
      try ModelDecoder.decode(data, into: model)
    } catch is ArchiveProblem {
      return true
    } catch is ModelProblem {
      return true
    }
    _ = model.entityVersionHashesByName
    _ = try ModelEncoder.encode(model, as: .cache)
    _ = model.fetchRequestTemplatesByName
    model.freeze()
    return false
  }

  @Test func nestingWithoutEndIsRefused() {
    // An array that contains itself, then one of arrays that each name the next one twice.
    var loop = Data("bplist00".utf8) + Data([0xA1, 0, 8])
    loop += Data(repeating: 0, count: 6) + Data([1, 1]) + trailer(count: 1, table: 10)
    #expect(throws: ArchiveProblem.self) { try BinaryPropertyListReader.read(loop) }
    var wide = Data("bplist00".utf8)
    var offsets = Data()
    for level in 0..<15 {
      offsets.append(UInt8(wide.count))
      wide.append(0xAE)
      wide.append(Data(repeating: UInt8(level + 1), count: 14))
    }
    offsets.append(UInt8(wide.count))
    wide.append(9)
    let table = wide.count
    wide += offsets + Data(repeating: 0, count: 6) + Data([1, 1]) + trailer(count: 16, table: table)
    #expect(throws: ArchiveProblem.self) { try BinaryPropertyListReader.read(wide) }
  }

  @Test func compositesWithoutEndAreRefused() {
    var writer = KeyedArchiveWriter()
    let composite = writer.reserve()
    let fields: [String: PropertyListValue] = [
      "NSPropertyName": writer.add(text: "c"), "NSAttributeType": .integer(2100),
      "NSCompositeElements": writer.add(array: Array(repeating: composite, count: 20)),
    ]
    writer.add(["NSCompositeAttributeDescription", "NSAttributeDescription", "NSObject"], fields, as: composite)
    let entity = writer.add(
      ["NSEntityDescription", "NSObject"],
      ["NSEntityName": writer.add(text: "E"), "NSProperties": writer.add(dictionary: [("c", composite)])])
    let root = writer.add(["NSManagedObjectModel"], ["NSEntities": writer.add(dictionary: [("E", entity)])])
    #expect(throws: ModelProblem.self) {
      try ModelDecoder.decode(writer.serialized(root: root), into: NSManagedObjectModel())
    }
  }

  /// An object would begin with the value, and stop the program.
  @Test(arguments: [
    (NSAttributeType.integer16AttributeType, "text" as any Sendable), (.integer16AttributeType, 70_000),
    (.integer64AttributeType, Double.infinity), (.decimalAttributeType, Double.infinity), (.stringAttributeType, 5),
    (.dateAttributeType, "today"),
  ])
  func defaultValuesOfOtherTypesAreRefused(type: NSAttributeType, value: any Sendable) throws {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.defaultValue) = ("x", type, value)
    let entity = NSEntityDescription()
    (entity.name, entity.properties) = ("E", [attribute])
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let problem = #expect(throws: ModelProblem.self) {
      try ModelDecoder.decode(ModelEncoder.encode(model, as: .compiled), into: NSManagedObjectModel())
    }
    #expect(problem?.entity == "E" && problem?.property == "x")
  }

  @Test func infiniteLimitsStayPredicates() throws {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = ("x", .doubleAttributeType)
    attribute.setValidationPredicates(
      [NSPredicate(format: "SELF <= %@", Double.infinity)], withValidationWarnings: [""])
    let decoded = try roundTrip(attribute)
    #expect(decoded.validationPredicates.count == 1)
  }

  private func trailer(count: UInt64, table: Int) -> Data {
    [count, 0, UInt64(table)].reduce(Data()) { data, number in
      data + withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }
  }
}
