import CoreData

extension Check {
  static let externalThreshold = Check(
    "D-SQL-10", "binary values of more than 102,400 bytes go to files of their own",
    expected: "0 files, 1 files"
  ) {
    func files(_ size: Int) throws -> Int {
      let people = People()
      let photo = attribute("photo", .binaryDataAttributeType)
      photo.allowsExternalBinaryDataStorage = true
      people.person.properties.append(photo)
      let bench = try Bench(people.model)
      let context = bench.context()
      context.make("Person", ["photo": Data(repeating: 1, count: size)])
      try context.save()
      let folder = bench.folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
      return (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) ?? 0
    }
    return "\(try files(102_400)) files, \(try files(102_401)) files"
  }
}
