/// The rows of a table as HTML.
///
/// A template finds each value of a cell by reflection, which took longer than reading the rows: a page of a hundred objects with
/// seven columns has some five thousand places.
extension ObjectTable {
  /// A `tr` for each row, with everything escaped.
  var html: String {
    var text = HTMLText()
    for row in rows { row.write(to: &text) }
    return text.html
  }
}

extension ObjectTable.Row {
  fileprivate func write(to text: inout HTMLText) {
    text.markup("<tr aria-rowindex=\"\(number)\"><th scope=\"row\"><a href=\"")
    text.escaped(link)
    text.markup("\">")
    text.escaped(id)
    text.markup("</a></th>")
    for cell in cells { cell.write(to: &text) }
    text.markup("</tr>\n")
  }
}

extension ObjectTable.Cell {
  fileprivate func write(to text: inout HTMLText) {
    text.markup(isNumber ? "<td class=\"n\"" : "<td")
    if let whole {
      text.markup(" title=\"")
      text.escaped(whole)
      text.markup("\"")
    }
    text.markup(isNone ? "><span class=\"none\" aria-label=\"no value\">–</span>" : ">")
    if let target {
      text.markup("<a href=\"")
      text.escaped(target)
      text.markup("\">")
      text.escaped(self.text)
      text.markup("</a>")
    } else if let date {
      text.markup("<time datetime=\"")
      text.escaped(date)
      text.markup("\">")
      text.escaped(self.text)
      text.markup("</time>")
    } else {
      text.escaped(self.text)
    }
    text.markup("</td>")
  }
}
