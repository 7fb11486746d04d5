"""VAL's command line and output: options, printed lines and advice on failed plans."""
