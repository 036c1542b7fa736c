import CoreData

extension Check {
  static let countOfTexts = Check(
    "D-KVC-13", "value(forKey: \"count\") of an array of texts is its length",
    expected: "2"
  ) {
    let texts: NSArray = ["a", "b"]
    return "\(texts.value(forKey: "count"))"
  }
}
