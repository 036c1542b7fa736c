import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The hashes of all models of the corpus beside those of the reference implementation in Python.
@Suite struct ReferenceHashTests {
  private static var script: URL? { Corpus.root?.deletingLastPathComponent().appendingPathComponent("reference") }
  private static var isThere: Bool {
    script.map { FileManager.default.fileExists(atPath: $0.appendingPathComponent("version_hash.py").path) } == true
      && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
  }

  private static let program = """
    import sys, json
    sys.path.insert(0, sys.argv[1])
    sys.dont_write_bytecode = True
    import version_hash as v
    def prop(p):
        if p['kind'] == 'derived': return v.derived(p['text'])
        if p['kind'] == 'composite': return v.composite({e['name']: prop(e) for e in p['elements']})
        if p['kind'] == 'attribute':
            return v.attribute(p['name'], p['optional'], 0, p['type'], p['external'], p['preserved'], p['modifier'])
        return v.relationship(p['name'], p['optional'], 0, p['destination'], p['inverse'], p['min'], p['max'],
            p['ordered'], p['modifier'])
    out = []
    for model in json.load(sys.stdin):
        hashes = {}
        for e in model:
            hashes[e['name']] = v.entity(e['name'], e['abstract'], hashes.get(e['super']),
                {p['name']: prop(p) for p in e['properties']}, e['unique'], e['modifier'])
        out.append(v.model_checksum(hashes) + ' ' + v.hashes_digest(hashes))
    print(json.dumps(out))
    """

  private func json(_ property: NSPropertyDescription) -> [String: Any] {
    var result: [String: Any] = [
      "name": property.name, "optional": property.isOptional ? 1 : 0, "modifier": property.versionHashModifier ?? "",
    ]
    switch property {
    case let derived as NSDerivedAttributeDescription:
      result["kind"] = "derived"
      result["text"] = derived.derivationText
    case let composite as NSCompositeAttributeDescription:
      result["kind"] = "composite"
      result["elements"] = composite.elements.map(json)
    case let attribute as NSAttributeDescription:
      result["kind"] = "attribute"
      result["type"] = Int(attribute.attributeType.rawValue)
      result["external"] = attribute.allowsExternalBinaryDataStorage
      result["preserved"] = attribute.preservesValueInHistoryOnDeletion
    case let relationship as NSRelationshipDescription:
      result["kind"] = "relationship"
      result["destination"] = relationship.destinationEntity?.name ?? ""
      result["inverse"] = relationship.inverseRelationship?.name ?? ""
      result["min"] = relationship.minCount
      result["max"] = relationship.maxCount
      result["ordered"] = relationship.isOrdered
    default: break
    }
    return result
  }

  @Test(.enabled(if: isThere, "the reference or python3 is not there")) func agreeOnTheCorpus() throws {
    let models =
      Corpus.files("/contents").compactMap {
        NSManagedObjectModel(contentsOf: $0.deletingLastPathComponent())
      } + [try Gallery.model()]
    for model in models { model.freeze() }
    let input = models.map { model in
      model.entitiesInStoreOrder.map { entity -> [String: Any] in
        [
          "name": entity.name ?? "", "abstract": entity.isAbstract ? 1 : 0, "super": entity.superentity?.name ?? "",
          "unique": entity.uniquenessConstraintNames, "modifier": entity.versionHashModifier ?? "",
          "properties": entity.propertiesByName.values.filter { !$0.isTransient }.map(json),
        ]
      }
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("hashes-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try JSONSerialization.data(withJSONObject: input).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-B", "-c", Self.program, try #require(Self.script).path]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let expected = try #require(try JSONSerialization.jsonObject(with: output) as? [String])
    #expect(models.map { "\($0.versionChecksum) \($0.versionHashesDigest)" } == expected)
  }
}
